import { hasReason, retry, ServiceError } from '@tally/service-kit';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Client, ClientChannel, SFTPWrapper } from 'ssh2';
import { fail } from '../domain/errors.js';
import type { JobFolderPath } from '../domain/job-folder-path.js';
import type { Upload } from '../domain/ports.js';
import type { FoundFile, RemoteFiles } from '../domain/remote-files.js';
import type { CommandResult, RemoteCommand } from '../domain/remote-shell.js';
import { findFiles, parseFoundFiles, parseRemoveFolder, removeFolder } from './commands/find-files.js';
import { markCommand, type RawResult } from './marked-command.js';
import { sftpFiles } from './sftp-files.js';
import { commandName, noSshMetrics, type SshMetrics } from './ssh-metrics.js';
import { uploadFiles } from './upload.js';

export interface SessionLimits {
  /** Channels at once; below sshd's MaxSessions, 10 unless configured (sshd_config(5)). */
  readonly channelsMax: number;
  /** Longest command, milliseconds. A dead Slurm controller lets squeue wait for 18 s. */
  readonly commandTimeoutMs: number;
  /** Largest output of a command, stdout and stderr together, bytes. */
  readonly outputBytesMax: number;
  /** Longest transfer of a file, milliseconds. */
  readonly uploadTimeoutMs: number;
}

/** sshd frees a channel a moment after the client sees it closed: an open that is refused then is repeated. */
const CHANNEL_RETRY = { pauseMs: 30, pauseMsMax: 200, timeLimitMs: 600 };
const isChannelRefused = (err: unknown): boolean =>
  err instanceof Error && err.message.includes('Channel open failure');

/** Whose session it is, and who counts what it does. */
export interface SessionOwner {
  readonly metrics: SshMetrics;
  readonly clusterName: string;
  readonly username: string;
}
const NOBODY: SessionOwner = { metrics: noSshMetrics, clusterName: '', username: '' };

/** One login on one cluster: commands and files, a few at a time, each within its limits. */
export class Session {
  readonly #limit: LimitFunction;
  #isOpen = true;
  /** What the login script printed before the last command. */
  #printed = '';

  constructor(
    private readonly client: Client,
    private readonly limits: SessionLimits,
    private readonly owner: SessionOwner = NOBODY,
  ) {
    this.#limit = pLimit(limits.channelsMax);
    client.setMaxListeners(0); // every request that is under way listens for the end of the connection
    client.once('close', () => {
      this.#isOpen = false;
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Calls the listener once, when the connection has ended for whatever reason. */
  onClose(listener: () => void): void {
    if (this.#isOpen) this.client.once('close', listener);
    else listener();
  }

  close(): void {
    this.#isOpen = false;
    this.client.end();
  }

  /**
   * Runs a command; what the login prints before it is no part of its answer.
   * @throws ServiceError COMMAND_LOST, COMMAND_TIMED_OUT, COMMAND_OUTPUT_TOO_LARGE, COMMAND_NOT_RUN, SSH_FAULT
   */
  run(command: RemoteCommand): Promise<CommandResult> {
    const marked = markCommand(command.argv);
    const answer = this.#limit(async () => {
      const channel = await this.#open<ClientChannel>((done) => this.client.exec(marked.line, done));
      const { result, printed } = marked.read(await readResult(channel, command.stdin, this.limits));
      this.#printed = printed;
      return result;
    });
    return this.#count(commandName(command.argv), answer);
  }

  async #count(command: string, running: Promise<CommandResult>): Promise<CommandResult> {
    const { metrics, clusterName } = this.owner;
    try {
      const result = await running;
      metrics.commandEnded(clusterName, command, result.exitCode === 0 ? 'ok' : 'failed');
      return result;
    } catch (err) {
      metrics.commandEnded(clusterName, command, err instanceof ServiceError ? err.reason : 'INTERNAL');
      throw err;
    }
  }

  /** Writes files, each complete or not at all. @throws ServiceError UPLOAD_DAMAGED, COMMAND_TIMED_OUT, COMMAND_LOST */
  async upload(files: readonly Upload[]): Promise<void> {
    await uploadFiles(
      {
        run: (command) => this.run(command),
        withSftp: (work) =>
          this.#withSftp((sftp) => work(sftp, (start) => within(this.limits.uploadTimeoutMs, this.client, start))),
      },
      files,
    );
    const { metrics, clusterName } = this.owner;
    for (const { content } of files) {
      metrics.bytesUploaded(clusterName, Buffer.isBuffer(content) ? content.length : content.sizeBytes);
    }
  }

  /**
   * Runs `work` with one channel for files; every request has the time limit of a command.
   * @throws ServiceError COMMAND_TIMED_OUT, COMMAND_LOST, and whatever `work` throws
   */
  withFiles<T>(work: (files: RemoteFiles) => Promise<T>): Promise<T> {
    return this.#withSftp((sftp) =>
      work(sftpFiles(sftp, (start) => within(this.limits.commandTimeoutMs, this.client, start))),
    );
  }

  #withSftp<T>(work: (sftp: SFTPWrapper) => Promise<T>): Promise<T> {
    return this.#limit(async () => {
      const sftp = await this.#open<SFTPWrapper>((done) => this.client.sftp(done)).catch((err: unknown) => {
        const isStream = hasReason(err, 'SSH_FAULT') || hasReason(err, 'COMMAND_LOST');
        throw isStream && this.#printed !== '' ? this.#printsIntoFiles(err) : err;
      });
      sftp.on('error', () => {}); // requests under way get it, too
      try {
        return await work(sftp);
      } finally {
        sftp.end();
      }
    });
  }

  /**
   * No transfer of files from a login that prints: where sshd has no SFTP server of its own, the login shell starts one, behind the
   * script. ssh2 takes the text for the length of a packet, and may end the connection over it.
   */
  #printsIntoFiles(cause: unknown): ServiceError {
    const { username, clusterName } = this.owner;
    const message = `The login script of ${username} on ${clusterName} prints ${JSON.stringify(this.#printed)} into the transfer of files; it must print nothing where no terminal is`;
    return fail('LOGIN_SCRIPT_PRINTS', { message, cause });
  }

  /** Plain files below a folder. @throws ServiceError FILE_UNREADABLE, and as {@link Session.run} */
  async findFiles(folder: JobFolderPath, names: readonly string[], depthMax: number): Promise<FoundFile[]> {
    return parseFoundFiles(await this.run(findFiles(folder, names, depthMax)));
  }

  /** @throws ServiceError FOLDER_NOT_REMOVED, and as {@link Session.run} */
  async removeFolder(folder: JobFolderPath): Promise<void> {
    parseRemoveFolder(await this.run(removeFolder(folder)));
  }

  async #open<T>(open: (done: (err: Error | undefined, value: T) => void) => void): Promise<T> {
    const attempt = async () => {
      if (!this.#isOpen) throw fail('CLUSTER_UNREACHABLE');
      return within(this.limits.commandTimeoutMs, this.client, open);
    };
    try {
      return await retry(attempt, { ...CHANNEL_RETRY, isPassing: isChannelRefused });
    } catch (err) {
      throw err instanceof ServiceError ? err : fail('SSH_FAULT', { cause: err });
    }
  }
}

/** Turns a callback of ssh2 into a promise that also ends with the connection and after its time limit. */
function within<T>(
  timeoutMs: number,
  client: Client,
  start: (done: (err: Error | null | undefined, value: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      client.off('close', onClose);
      outcome();
    };
    const onClose = (): void => settle(() => reject(fail('COMMAND_LOST')));
    const timer = setTimeout(() => settle(() => reject(fail('COMMAND_TIMED_OUT'))), timeoutMs);
    client.once('close', onClose);
    try {
      start((err, value) => settle(() => (err ? reject(err) : resolve(value))));
    } catch (err) {
      settle(() => reject(err)); // ssh2 says so of a connection that has just ended
    }
  });
}

function readResult(channel: ClientChannel, stdin: string | undefined, limits: SessionLimits): Promise<RawResult> {
  return new Promise((resolve, reject) => {
    const texts = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let bytes = 0;
    const abort = (reason: 'COMMAND_TIMED_OUT' | 'COMMAND_OUTPUT_TOO_LARGE' | 'SSH_FAULT', cause?: unknown): void => {
      clearTimeout(timer);
      reject(fail(reason, { cause }));
      channel.destroy();
    };
    const timer = setTimeout(() => abort('COMMAND_TIMED_OUT'), limits.commandTimeoutMs);
    const collect = (into: Buffer[]) => (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limits.outputBytesMax) abort('COMMAND_OUTPUT_TOO_LARGE');
      else into.push(chunk);
    };
    channel.on('error', (err: Error) => abort('SSH_FAULT', err));
    channel.on('data', collect(texts.stdout));
    channel.stderr.on('data', collect(texts.stderr));
    // without code the connection broke; with a signal the command was killed there: its effect is unknown in both cases
    channel.on('close', (code: number | null | undefined) => {
      clearTimeout(timer);
      if (typeof code !== 'number') return reject(fail('COMMAND_LOST'));
      resolve({
        stdout: Buffer.concat(texts.stdout),
        stderr: Buffer.concat(texts.stderr),
        exitCode: code,
      });
    });
    channel.end(stdin ?? '');
  });
}
