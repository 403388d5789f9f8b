import type { ServiceError } from '@tally/service-kit';
import { fail } from '../../../domain/errors.js';
import type { CommandResult } from '../../../domain/remote-shell.js';

/*
 * What sbatch says when it submits nothing: slurm_errno.c and sbatch's own checks, Slurm 22.05 to 25.05. Only texts that
 * speak of the request are listed. Whatever else it says, known or not, may pass.
 */

/** The request itself: no repeat of it would be taken. */
const REFUSALS: readonly RegExp[] = [
  /invalid partition|no partition specified/,
  /invalid account/,
  /invalid (?:qos|wckey)/,
  /invalid feature specification/,
  /invalid generic resource/,
  /invalid job array specification/,
  /requested reservation is invalid/,
  /requested time limit is invalid|invalid time limit/,
  /requested node configuration is not available|requested nodes not in this partition/,
  /can ?not be satisfied/, // memory, CPU count
  /more \w+ requested than (?:permitted|allowed|configured|available)|more than configured/,
  /node count specification invalid|job size specification needs to be provided/,
  /memory required by task is not available/,
  /(?:assoc|qos)max\w*(?:perjob|wallduration)\w*|qosmin\w+/, // limits that one job alone exceeds
  /batch script is empty|does not look like a batch script|batch script contains dos line breaks|job script not specified/,
  /pathname of a file, directory or other parameter too long/,
];
/** Who asks: also what a controller says whose list of users is not there yet. */
const DENIALS: readonly RegExp[] = [
  /access\/permission denied|access denied/,
  /user's group not permitted to use this partition/,
];
/** As much as there may be at the moment: other jobs have to end first. */
const LIMITS: readonly RegExp[] = [
  /(?:assoc|qos)\w*submit\w*limit/,
  /job violates accounting\/qos policy/,
  /temporarily unable to accept job/,
  /rate limit/,
];
/** What sbatch says when a job is to wait for the id that it is given: the controller has lost the one that had it. */
const DEPENDENCY_LOST = /job dependency problem/;
const MESSAGE_CHARACTERS_MAX = 500;

/** The scheduler's own words, one line, without the name of the program, safe to show. */
function wordsOf({ stdout, stderr, exitCode }: CommandResult): string {
  const said = stderr.trim() === '' ? stdout : stderr;
  const words = said
    .replace(/[^\P{Cc}\n]/gu, '')
    .split('\n')
    .map((line) => line.replace(/^(?:[a-z]+: )(?:error: )?/, '').trim())
    .filter((line) => line !== '')
    .join('; ')
    .slice(0, MESSAGE_CHARACTERS_MAX);
  return words === '' ? `its command ended with exit code ${exitCode}` : words;
}

/** A command that failed → SCHEDULER_UNREACHABLE, with the scheduler's own words: it says nothing of any job. */
export function schedulerFailure(result: CommandResult): ServiceError {
  return fail('SCHEDULER_UNREACHABLE', { cause: new Error(wordsOf(result)) });
}

/**
 * An sbatch that failed → SCHEDULER_REFUSED where it speaks of the request, SCHEDULER_DENIED, SCHEDULER_BUSY,
 * SCHEDULER_DEPENDENCY_LOST, and for everything else SCHEDULER_UNREACHABLE; each with the scheduler's own words.
 */
export function submissionFailure(result: CommandResult): ServiceError {
  const words = wordsOf(result);
  const says = (texts: readonly RegExp[]): boolean => texts.some((text) => text.test(words.toLowerCase()));
  if (says([DEPENDENCY_LOST])) return fail('SCHEDULER_DEPENDENCY_LOST', { cause: new Error(words) });
  if (says(REFUSALS)) return fail('SCHEDULER_REFUSED', { message: `The scheduler refused: ${words}` });
  if (says(DENIALS)) return fail('SCHEDULER_DENIED', { message: `The scheduler refused: ${words}` });
  if (says(LIMITS)) return fail('SCHEDULER_BUSY', { cause: new Error(words) });
  return schedulerFailure(result);
}
