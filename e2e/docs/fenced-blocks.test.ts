import { describe, expect, it } from '@jest/globals';
import { fencedBlocks } from './fenced-blocks.js';

describe('the fenced blocks of a page', () => {
  it('have a language, their code, and the reason why they are not run', () => {
    const page = [
      '# Page',
      '```sh',
      'a',
      '',
      'b',
      '```',
      'text',
      '```sh no-run: needs a realm',
      'c',
      '```',
      '```',
      'd',
      '```',
    ];
    expect(fencedBlocks(page.join('\n'))).toEqual([
      { language: 'sh', reason: undefined, line: 2, code: 'a\n\nb' },
      { language: 'sh', reason: 'needs a realm', line: 8, code: 'c' },
      { language: '', reason: undefined, line: 11, code: 'd' },
    ]);
  });

  it('are refused without an end, and without a reason', () => {
    expect(() => fencedBlocks('```sh\na')).toThrow('line 1');
    expect(() => fencedBlocks('```sh no-run\na\n```')).toThrow('no reason');
  });
});
