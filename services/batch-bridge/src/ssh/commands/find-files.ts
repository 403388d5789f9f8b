import { fail } from '../../domain/errors.js';
import type { JobFolderPath } from '../../domain/job-folder-path.js';
import type { FoundFile } from '../../domain/remote-files.js';
import type { CommandResult, RemoteCommand } from '../../domain/remote-shell.js';

/** Size, seconds since 1970, path below the folder; a NUL ends it, since a name may hold anything else. */
const FORMAT = '%s %T@ %P\\0';
const RECORD = /^(\d{1,19}) (\d{1,12})(?:\.(\d{1,3})\d*)? ([^\0\n]+)$/;

/** In English: its errors are parsed. */
const FIND = ['env', 'LC_ALL=C', 'find', '-P'];
/** End of each line of find's errors, which is the system's own message (strerror). */
const HARMLESS = /: (?:No such file or directory|Permission denied)$/m;

/** find(1) of GNU for plain files with one of these names; never follows a link. */
export function findFiles(folder: JobFolderPath, names: readonly string[], depthMax: number): RemoteCommand {
  const anyName = names.flatMap((name, i) => (i === 0 ? ['-name', name] : ['-o', '-name', name]));
  return {
    argv: FIND.concat(folder, '-maxdepth', String(depthMax), '-type', 'f', '(', anyName, ')', '-printf', FORMAT),
  };
}

/**
 * Files that {@link findFiles} printed. A folder that is missing or closed to the user has no files; after any other
 * fault, such as a file server that does not answer, the list may be too short and must not be believed.
 * @throws ServiceError FILE_UNREADABLE
 */
export function parseFoundFiles({ stdout, stderr, exitCode }: CommandResult): FoundFile[] {
  const faults = stderr.split('\n').filter((line) => line.startsWith('find: ') && !HARMLESS.test(line));
  if (exitCode !== 0 && (faults.length > 0 || !HARMLESS.test(stderr))) {
    throw fail('FILE_UNREADABLE', { cause: new Error(stderr.slice(0, 500)) });
  }
  const records = stdout.split('\0');
  records.pop(); // what follows the last NUL
  return records.flatMap((record) => {
    const [, size, seconds, fraction = '', path = ''] = RECORD.exec(record) ?? [];
    if (size === undefined) return [];
    const modifiedAt = new Date(Number(seconds) * 1000 + Number(fraction.padEnd(3, '0')));
    return Number.isNaN(modifiedAt.getTime()) ? [] : [{ path, sizeBytes: Number(size), modifiedAt }];
  });
}

/** rm(1): the whole folder, without crossing into what is mounted in it. Links are removed, never followed. */
export function removeFolder(folder: JobFolderPath): RemoteCommand {
  return { argv: ['rm', '-rf', '--one-file-system', '--', folder] };
}

/** @throws ServiceError FOLDER_NOT_REMOVED with the message of rm */
export function parseRemoveFolder({ exitCode, stderr }: CommandResult): void {
  if (exitCode !== 0) throw fail('FOLDER_NOT_REMOVED', { cause: new Error(stderr.slice(0, 500)) });
}
