import type { JobFolderPath } from './job-folder-path.js';

/*
 * What the bridge reads and removes on a cluster. Whoever has an account there may have put anything in the place of a
 * file: links, pipes, a terabyte of zeros. So links are never followed, only plain files are read, and the reader gives
 * the number of bytes.
 */

/** A plain file as it was found in a folder. */
export interface FoundFile {
  /** Relative to the folder that was listed. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** A plain file, open for reading. */
export interface RemoteFile {
  /** When it was opened. */
  readonly sizeBytes: number;
  /** The bytes [offset, offset + size); fewer where the file ends. @throws ServiceError as {@link RemoteFiles.open} */
  read(offsetBytes: number, sizeBytes: number): Promise<Buffer>;
}

/** Opens files over one channel; several at once are fine. */
export interface RemoteFiles {
  /**
   * Runs `work` with an open file and closes it. Resolves to undefined where there is no plain file of this name that
   * may be read: missing, a link, a folder, a pipe, closed to the user.
   * @param path - absolute
   * @throws ServiceError FILE_UNREADABLE, COMMAND_TIMED_OUT, COMMAND_LOST, and whatever `work` throws
   */
  open<T>(path: string, work: (file: RemoteFile) => Promise<T>): Promise<T | undefined>;
}

/** Folders and files of one user on one cluster. */
export interface RemoteFolders {
  /**
   * Plain files below a folder, found without following a link; none where the folder is not there.
   * @param names - file names to find, shell patterns as in find(1)
   * @param depthMax - 1: in the folder itself
   * @throws ServiceError FILE_UNREADABLE, COMMAND_OUTPUT_TOO_LARGE, COMMAND_TIMED_OUT, COMMAND_LOST
   */
  findFiles(folder: JobFolderPath, names: readonly string[], depthMax: number): Promise<FoundFile[]>;
  /** Runs `work` with one channel for files. @throws ServiceError COMMAND_TIMED_OUT, COMMAND_LOST */
  withFiles<T>(work: (files: RemoteFiles) => Promise<T>): Promise<T>;
  /**
   * Removes the folder of a job with all that is in it, and nothing that a link in it leads to. Not there: fine.
   * @throws ServiceError FOLDER_NOT_REMOVED, COMMAND_TIMED_OUT, COMMAND_LOST
   */
  removeFolder(folder: JobFolderPath): Promise<void>;
}
