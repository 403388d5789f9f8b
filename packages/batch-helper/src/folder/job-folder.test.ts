import { describe, expect, it } from '@jest/globals';
import { JobFolderError } from './file-format.js';
import { arrayLogName, isDeckFileName, parseUpdateKey, taskFile } from './job-folder.js';

describe('the folder of a job', () => {
  it('has names that no content can change', () => {
    expect(taskFile(12, 'end.json')).toBe('tasks/12/end.json');
    expect(arrayLogName(2, '%a')).toBe('log-2-%a');
    expect(['a.inp', 'b-1_C', '_x'].every(isDeckFileName)).toBe(true);
    expect(['', '.', '..', '.x', '-rf', '--gdml', 'a/b', 'a b', 'é', 'a\n', 'x'.repeat(129)].some(isDeckFileName)).toBe(
      false,
    );
  });
});

describe('the update key', () => {
  it('is one line', () => {
    expect(parseUpdateKey(Buffer.from('abc-DEF_12.3\n'))).toBe('abc-DEF_12.3');
  });

  it.each(['', '\n', 'a b', 'a\nb', 'é', 'x'.repeat(1_025)])('is refused as %j, and not shown', (text) => {
    const refuse = () => parseUpdateKey(Buffer.from(text));
    expect(refuse).toThrow(JobFolderError);
    if (text.length > 2) expect(refuse).not.toThrow(text);
  });
});
