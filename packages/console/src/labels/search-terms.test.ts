import { expect, it } from '@jest/globals';
import { tagTerm, termsOf, withoutTerm, withTerm } from './search-terms.js';

it('takes a search apart and together again', () => {
  const search = ' depth  TAG:"two words" energy:1..2 "a b" ';
  expect(termsOf(search)).toEqual([
    { text: 'depth', key: undefined },
    { text: 'TAG:"two words"', key: 'tag' },
    { text: 'energy:1..2', key: 'energy' },
    { text: '"a b"', key: undefined },
  ]);
  expect(withoutTerm(search, 'energy:1..2')).toBe('depth TAG:"two words" "a b"');
  expect(withTerm('depth', tagTerm('qa'))).toBe('depth tag:qa');
  expect(withTerm('depth tag:qa', tagTerm('qa'))).toBe('depth tag:qa');
  expect(withTerm('', tagTerm('two words'))).toBe('tag:"two words"');
});
