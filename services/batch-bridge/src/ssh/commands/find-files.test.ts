import { describe, expect, it } from '@jest/globals';
import { jobFolderPath } from '../../domain/job-folder-path.js';
import { readJobId } from '../../domain/job-id.js';

import { quoteArgv } from '../quote-argv.js';
import { findFiles, parseFoundFiles, parseRemoveFolder, removeFolder } from './find-files.js';

const jobId = readJobId('20261121-150405-0191c2a4-7f3e-7c1d-9a55-1f2e3d4c5b6a');
const folder = jobFolderPath({ scratchFolder: '/scratch/{user}' }, 'jane', jobId);
const printed = (stdout: string, stderr = '') => ({ stdout, stderr, exitCode: stderr === '' ? 0 : 1 });

describe('findFiles', () => {
  it('asks for plain files by name, and can be quoted', () => {
    const line = quoteArgv(findFiles(folder, ['end.json', 'log-*'], 3).argv);
    expect(line).toBe(
      `env LC_ALL=C find -P ${folder} -maxdepth 3 -type f '(' -name end.json -o -name 'log-*' ')' -printf '%s %T@ %P\\0'`,
    );
  });

  it('reads records, with names of any kind but with a line feed', () => {
    const stdout = '17 1763737445.5000000000 tasks/1/end.json\u00000 1763737446.0 a b 3 4\u00009 1.0 bad\nname\u0000';
    expect(parseFoundFiles(printed(stdout))).toEqual([
      { path: 'tasks/1/end.json', sizeBytes: 17, modifiedAt: new Date('2025-11-21T15:04:05.500Z') },
      { path: 'a b 3 4', sizeBytes: 0, modifiedAt: new Date('2025-11-21T15:04:06.000Z') },
    ]);
    expect(parseFoundFiles(printed('hello\n'))).toEqual([]);
  });

  it('takes a folder that is missing or closed for empty, and believes no list after another fault', () => {
    expect(parseFoundFiles(printed('', `find: '${folder}': No such file or directory\n`))).toEqual([]);
    const closed = "find: '/scratch/tasks/2': Permission denied\n";
    expect(parseFoundFiles(printed('1 1.0 log\u0000', closed))).toHaveLength(1);
    for (const stderr of [
      `${closed}find: '/scratch/tasks/3': Input/output error\n`,
      'sh: find: not found\n',
      'Killed\n',
    ]) {
      expect(() => parseFoundFiles(printed('1 1.0 log\u0000', stderr))).toThrow(
        expect.objectContaining({ reason: 'FILE_UNREADABLE' }),
      );
    }
  });
});

describe('removeFolder', () => {
  it('removes this folder only, and says when it could not', () => {
    expect(removeFolder(folder).argv).toEqual(['rm', '-rf', '--one-file-system', '--', `/scratch/jane/${jobId}`]);
    expect(() => parseRemoveFolder(printed(''))).not.toThrow();
    expect(() => parseRemoveFolder(printed('', 'rm: cannot remove'))).toThrow(
      expect.objectContaining({ reason: 'FOLDER_NOT_REMOVED' }),
    );
  });
});
