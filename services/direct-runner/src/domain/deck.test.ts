import { describe, expect, it } from '@jest/globals';
import { requireFileNames } from './deck.js';

describe('a deck', () => {
  it('may have plain file names only', () => {
    const good = { 'problem.json': '', 'a-b_c.D9': '', _hidden: '', ['x'.repeat(128)]: '' };
    expect(requireFileNames(good)).toBe(good);
  });

  it.each([
    '../x',
    '/etc/passwd',
    'a/b',
    '.',
    '..',
    '.hidden',
    '-rf',
    '--macro',
    '',
    'a\\b',
    'a b',
    'a\0',
    'é',
    'a\n',
    'x'.repeat(129),
  ])('is refused with a file named %j', (name) => {
    expect(() => requireFileNames({ 'problem.json': '', [name]: '' })).toThrow(
      expect.objectContaining({ reason: 'DECK_INVALID', status: 'FAILED_PRECONDITION' }),
    );
  });
});
