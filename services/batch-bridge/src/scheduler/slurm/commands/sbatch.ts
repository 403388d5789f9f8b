import { fail } from '../../../domain/errors.js';
import type { CommandResult, RemoteCommand } from '../../../domain/remote-shell.js';
import type { SchedulerJobId, SchedulerJobSpec } from '../../../domain/scheduler.js';
import { submissionFailure } from './scheduler-error.js';

/**
 * Where the queue is full, sbatch sleeps and tries again for two minutes, also when nobody waits for it any more: it is ended
 * before it is given up (`BATCH_COMMAND_TIMEOUT_MS`), and before it is called again (markerGraceMs). A controller
 * that is dead is told of within 9 s. timeout(1) of coreutils and of busybox; seconds.
 */
const LIMITED = ['timeout', '-k', '5', '20'];

/**
 * sbatch(1) for a job; the script goes through standard input. `--requeue`: what loses its node, or is preempted, runs
 * again; what it runs must tolerate a second run, even beside the first (packages/batch-helper). `--open-mode`: a
 * second run does not wipe out what the scheduler has kept of the first. `--kill-on-invalid-dep`: a dependency that cannot
 * come true ends the job instead of holding it. `--export=NONE`: nothing of the login's environment gets into the job.
 */
export function sbatch(spec: SchedulerJobSpec): RemoteCommand {
  const { options, array, afterAny = [] } = spec;
  const named = [
    ['partition', options.partition],
    ['account', options.account],
    ['qos', options.qos],
    ['constraint', options.constraint],
    ['reservation', options.reservation],
  ] as const;
  return {
    argv: [
      ...LIMITED,
      'sbatch',
      '--parsable',
      '--requeue',
      '--open-mode=append',
      '--kill-on-invalid-dep=yes',
      '--export=NONE',
      `--job-name=${spec.marker}`,
      `--comment=${spec.marker}`,
      `--chdir=${spec.folder}`,
      `--output=${spec.folder}/${spec.logName}`,
      `--time=${slurmTime(options.wallTimeSeconds)}`,
      `--mem=${options.memoryMib}M`,
      `--signal=B:TERM@${spec.warningSeconds}`,
      ...named.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
      ...(array === undefined ? [] : [`--array=${array.first}-${array.last}`]),
      ...(afterAny.length === 0 ? [] : [`--dependency=afterany:${afterAny.join(':')}`]),
    ],
    stdin: spec.script,
  };
}

/** `days-hours:minutes:seconds`. */
function slurmTime(seconds: number): string {
  const part = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${Math.floor(seconds / 86_400)}-${part((seconds % 86_400) / 3600)}:${part((seconds % 3600) / 60)}:${part(seconds % 60)}`;
}

/** `12`, or `12;cluster` on sites with several clusters, and the end of the line: what is cut off ends before it. */
const ID = /^(\d+)(?:;\S+)?\n$/;

/**
 * The id that sbatch printed, and nothing else: where a site's own sbatch adds to it, or the answer is not whole, the job is to be
 * looked up by its marker. @throws ServiceError SCHEDULER_ANSWER_UNKNOWN, and those of a submission that failed
 */
export function parseSbatch(result: CommandResult): SchedulerJobId {
  if (result.exitCode !== 0) throw submissionFailure(result);
  const id = ID.exec(result.stdout)?.[1];
  if (id === undefined) throw fail('SCHEDULER_ANSWER_UNKNOWN');
  return id as SchedulerJobId;
}
