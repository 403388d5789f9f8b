import { ServiceError } from '@tally/service-kit';
import pLimit from 'p-limit';
import type { SFTPWrapper, Stats } from 'ssh2';
import { fail } from '../domain/errors.js';
import type { RemoteFile, RemoteFiles } from '../domain/remote-files.js';

/** Bytes of one request; every server takes so many (draft-ietf-secsh-filexfer-02, 6.4). */
const REQUEST_BYTES = 32 * 1024;
/** Requests under way for one read, so that its speed does not depend on the round trip to the cluster. */
const REQUESTS_MAX = 16;
/** Status codes of draft-ietf-secsh-filexfer-02, 7. */
const STATUS_EOF = 1;
const STATUS_NO_SUCH_FILE = 2;
const STATUS_PERMISSION_DENIED = 3;

type Start<T> = (done: (err: Error | null | undefined, value: T) => void) => void;
/** Runs one request within its time limit; ends with the connection, too. */
export type Request = <T>(start: Start<T>) => Promise<T>;

/** Status of a refusal by the server; undefined: another kind of error. */
function statusOf(err: unknown): number | undefined {
  return err instanceof Error && 'code' in err && typeof err.code === 'number' ? err.code : undefined;
}

/** A request to the server: its refusal is FILE_UNREADABLE, silence COMMAND_LOST, anything else SSH_FAULT. */
async function ask<T>(request: Request, start: Start<T>): Promise<T> {
  try {
    return await request(start);
  } catch (err) {
    if (statusOf(err) !== undefined) throw fail('FILE_UNREADABLE', { cause: err });
    // ssh2 1.17.0, when the channel closes under a request; it has no code
    if (err instanceof Error && err.message === 'No response from server') throw fail('COMMAND_LOST', { cause: err });
    throw err instanceof ServiceError ? err : fail('SSH_FAULT', { cause: err });
  }
}

/** What `work` gives; undefined where the server says that there is no such file, or that it is closed to the user. */
async function orMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (err) {
    const status = err instanceof Error ? statusOf(err.cause) : undefined;
    if (status === STATUS_NO_SUCH_FILE || status === STATUS_PERMISSION_DENIED) return undefined;
    throw err;
  }
}

/** Files over an open SFTP channel. */
export function sftpFiles(sftp: SFTPWrapper, request: Request): RemoteFiles {
  return {
    async open(path, work) {
      // lstat before it is opened: opening a pipe would wait for its writer, and a link would be followed
      const found = await orMissing(() => ask<Stats>(request, (done) => sftp.lstat(path, done)));
      if (found === undefined || !found.isFile()) return undefined;
      const handle = await orMissing(() => ask<Buffer>(request, (done) => sftp.open(path, 'r', done)));
      if (handle === undefined) return undefined;
      try {
        const opened = await ask<Stats>(request, (done) => sftp.fstat(handle, done));
        if (!opened.isFile()) return undefined;
        return await work(openedFile(sftp, request, handle, opened.size));
      } finally {
        sftp.close(handle, () => {}); // nothing was written: nothing can be lost
      }
    },
  };
}

function openedFile(sftp: SFTPWrapper, request: Request, handle: Buffer, fileBytes: number): RemoteFile {
  /** Fills `into` from `offset` as far as the file goes; returns how far. */
  const fill = async (into: Buffer, offset: number): Promise<number> => {
    let filled = 0;
    while (filled < into.length) {
      const got = await ask<number>(request, (done) => {
        sftp.read(handle, into, filled, into.length - filled, offset + filled, (err, bytes) => {
          if (statusOf(err) === STATUS_EOF) done(undefined, 0);
          else done(err, bytes);
        });
      });
      if (got === 0) break;
      filled += got;
    }
    return filled;
  };
  return {
    sizeBytes: fileBytes,
    async read(offsetBytes, sizeBytes) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(sizeBytes, fileBytes - offsetBytes)));
      const parts = Array.from({ length: Math.ceil(bytes.length / REQUEST_BYTES) }, (_, i) => REQUEST_BYTES * i);
      let end = bytes.length; // of what is there without a gap: the file may have become shorter
      await pLimit(REQUESTS_MAX).map(parts, async (from) => {
        const part = bytes.subarray(from, from + REQUEST_BYTES);
        const filled = await fill(part, offsetBytes + from);
        if (filled < part.length) end = Math.min(end, from + filled);
      });
      return bytes.subarray(0, end);
    },
  };
}
