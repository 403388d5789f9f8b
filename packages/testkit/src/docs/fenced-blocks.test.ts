import { describe, expect, it } from '@jest/globals';
import { commandsOf, fencedBlocks } from './fenced-blocks.js';

describe('the fenced blocks of a page', () => {
  it('have a language, their code, and the reason why they are not run', () => {
    const page = [
      '# Page',
      '**Lead.** and **more.**',
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
      { title: 'Lead', language: 'sh', reason: undefined, line: 3, code: 'a\n\nb' },
      { title: 'Lead', language: 'sh', reason: 'needs a realm', line: 9, code: 'c' },
      { title: 'Lead', language: '', reason: undefined, line: 12, code: 'd' },
    ]);
  });

  it('are refused without an end, and without a reason', () => {
    expect(() => fencedBlocks('```sh\na')).toThrow('line 1');
    expect(() => fencedBlocks('```sh no-run\na\n```')).toThrow('no reason');
    expect(() => commandsOf('operators-guide.md', 'Nowhere')).toThrow('Nowhere');
  });
});
