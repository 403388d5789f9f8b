import { createHash } from 'node:crypto';
import { ServiceError } from '@tally/service-kit';
import pLimit from 'p-limit';
import type { SFTPWrapper } from 'ssh2';
import { fail } from '../domain/errors.js';
import type { Upload } from '../domain/ports.js';
import type { RemoteShell } from '../domain/remote-shell.js';

/** Files under way at once, so that many small ones do not take a round trip each. */
const FILES_MAX = 16;
/** Characters of one command: a shell gets it as one argument, 128 KiB at most (execve(2), MAX_ARG_STRLEN). */
const COMMAND_CHARACTERS_MAX = 60_000;
const MODE = 0o600;

type Start<T> = (done: (err: Error | null | undefined, value: T) => void) => void;

/** What an upload needs of a session. */
export interface UploadChannel extends RemoteShell {
  /** Runs `work` with an SFTP channel; `request` gives each request its time limit and ends with the connection. */
  withSftp<T>(work: (sftp: SFTPWrapper, request: <R>(start: Start<R>) => Promise<R>) => Promise<T>): Promise<T>;
}

const partOf = ({ path }: Upload): string => `${path}.part`;
const sha256Of = ({ content }: Upload): string =>
  Buffer.isBuffer(content) ? createHash('sha256').update(content).digest('hex') : content.sha256;

function write(sftp: SFTPWrapper, file: Upload, done: (err: Error | null | undefined) => void): void {
  const { content, mode = MODE } = file;
  if (Buffer.isBuffer(content)) sftp.writeFile(partOf(file), content, { mode }, done);
  else sftp.fastPut(content.localPath, partOf(file), { mode }, done);
}

/** Files in groups whose names fit into one command. */
function batchesOf(files: readonly Upload[]): Upload[][] {
  const batches: Upload[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const file of files) {
    const size = partOf(file).length * 2; // quoted, at worst
    if (characters + size > COMMAND_CHARACTERS_MAX) {
      batches.push([]);
      characters = 0;
    }
    batches.at(-1)?.push(file);
    characters += size;
  }
  return batches;
}

/** Compares what has arrived with what was sent. @throws ServiceError UPLOAD_DAMAGED */
async function verify(shell: RemoteShell, files: readonly Upload[]): Promise<void> {
  const { stdout, stderr, exitCode } = await shell.run({ argv: ['sha256sum', '--', ...files.map(partOf)] });
  // in the order of the arguments; a leading backslash marks an escaped name, sha256sum(1)
  const sums = [...stdout.matchAll(/^\\?([0-9a-f]{64}) [ *]/gm)].map(([, sum]) => sum);
  const isWhole = exitCode === 0 && files.every((file, i) => sums[i] === sha256Of(file));
  if (!isWhole) throw fail('UPLOAD_DAMAGED', { cause: new Error(stderr.trim() || 'SHA-256 differs') });
}

function posixRename(sftp: SFTPWrapper, file: Upload, done: (err: Error | null | undefined) => void): void {
  try {
    sftp.ext_openssh_rename(partOf(file), file.path, done);
  } catch (err) {
    done(err instanceof Error ? err : new Error(String(err))); // a server without the extension
  }
}

/** OpenSSH's rename replaces what is there; SFTP's own does not. Other servers: by command. */
async function rename(channel: UploadChannel, files: readonly Upload[]): Promise<void> {
  const left = await channel.withSftp(async (sftp, request) => {
    const refused: Upload[] = [];
    await pLimit(FILES_MAX).map(files, async (file) => {
      try {
        await request<void>((done) => posixRename(sftp, file, (err) => done(err, undefined)));
      } catch (err) {
        if (err instanceof ServiceError) throw err;
        refused.push(file);
      }
    });
    return refused;
  });
  for (const file of left) {
    const moved = await channel.run({ argv: ['mv', '-f', '--', partOf(file), file.path] });
    if (moved.exitCode !== 0) throw fail('UPLOAD_DAMAGED', { cause: new Error(moved.stderr.trim()) });
  }
}

/** Puts files on a cluster; see RemoteUploads. */
export async function uploadFiles(channel: UploadChannel, files: readonly Upload[]): Promise<void> {
  if (files.length === 0) return;
  await channel.withSftp((sftp, request) =>
    pLimit(FILES_MAX).map(files, async (file) => {
      try {
        await request<void>((done) => write(sftp, file, (err) => done(err, undefined)));
      } catch (err) {
        throw err instanceof ServiceError ? err : fail('UPLOAD_DAMAGED', { cause: err });
      }
    }),
  );
  for (const batch of batchesOf(files)) await verify(channel, batch);
  await rename(channel, files);
}
