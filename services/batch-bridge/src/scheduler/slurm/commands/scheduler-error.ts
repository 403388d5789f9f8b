import type { ServiceError } from '@tally/service-kit';
import { fail } from '../../../domain/errors.js';
import type { CommandResult } from '../../../domain/remote-shell.js';

/** What Slurm 22.05's commands print when the controller or the accounting daemon is down. */
const UNREACHABLE =
  /unable to contact slurm controller|slurm_persist_conn_open|connection refused|connection timed out|socket timed out|slurmdbd.*not (?:up|responding)|problem talking to the database/i;
/** What sbatch prints when a job is to wait for the id that it is given: the controller has lost the one that had it. */
const DEPENDENCY_LOST = /job dependency problem/i;
const MESSAGE_CHARACTERS_MAX = 500;

/** The scheduler's own message, one line, without the name of the program, safe to show. */
function messageOf(stderr: string): string {
  return stderr
    .replace(/[^\P{Cc}\n]/gu, '')
    .split('\n')
    .map((line) => line.replace(/^(?:[a-z]+: )(?:error: )?/, '').trim())
    .filter((line) => line !== '')
    .join('; ')
    .slice(0, MESSAGE_CHARACTERS_MAX);
}

/** A command that failed → SCHEDULER_UNREACHABLE, SCHEDULER_DEPENDENCY_LOST or SCHEDULER_REFUSED, with its own message. */
export function schedulerError({ stderr }: CommandResult): ServiceError {
  const message = messageOf(stderr);
  if (UNREACHABLE.test(stderr)) return fail('SCHEDULER_UNREACHABLE', { cause: new Error(message) });
  if (DEPENDENCY_LOST.test(stderr)) return fail('SCHEDULER_DEPENDENCY_LOST', { cause: new Error(message) });
  return fail('SCHEDULER_REFUSED', message === '' ? {} : { message: `The scheduler refused: ${message}` });
}
