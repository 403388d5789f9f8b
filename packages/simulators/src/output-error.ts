/**
 * Why a finished task's folder gave no result: `MISSING` no such file; `UNREADABLE` not what the simulator writes, or cut
 * short; `UNSUPPORTED` sound, but something that is not read here, so that another attempt would end the same way.
 */
export type OutputFailure = 'MISSING' | 'UNREADABLE' | 'UNSUPPORTED';

/** A simulator ended, but what it left cannot be used: the task has failed. */
export class OutputError extends Error {
  readonly reason: OutputFailure;
  readonly fileName: string;

  constructor(reason: OutputFailure, fileName: string, message: string, options?: ErrorOptions) {
    super(`${fileName}: ${message}`, options);
    this.name = 'OutputError';
    this.reason = reason;
    this.fileName = fileName;
  }
}
