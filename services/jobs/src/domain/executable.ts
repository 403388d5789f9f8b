import type { Branded } from '@tally/service-kit';
import type { Executables } from '@tally/simulators';
import type { Simulator } from './job.js';

/** What a job runs on: `simA`, in any version, or `simA=1.0.1`. */
export type ExecutableName = Branded<'ExecutableName'>;

/** @param version - empty: any */
export const nameExecutable = (simulator: Simulator, version = ''): ExecutableName =>
  (version === '' ? simulator : `${simulator}=${version}`) as ExecutableName;

const partsOf = (name: ExecutableName) => {
  const [simulator = '', version = ''] = name.split('=');
  return { simulator: simulator as Simulator, version };
};

/** Whether a runner can take a task of a job. @param executables - that the runner has */
export function canRun(name: ExecutableName, executables: Executables): boolean {
  const { simulator, version } = partsOf(name);
  const found = executables.get(simulator);
  return found !== undefined && (version === '' || version === found);
}

/** What the job runs on from its first task on: the version of that runner, where it is known. */
export function beginOn(name: ExecutableName, executables: Executables): ExecutableName {
  const { simulator, version } = partsOf(name);
  return version === '' ? nameExecutable(simulator, executables.get(simulator)) : name;
}

/** How {@link describeMissing} begins. */
export const MISSING = 'it waits for a runner with ';

/** Why a job does not go on while no live runner can take its tasks, for people. */
export function describeMissing(name: ExecutableName): string {
  const { simulator, version } = partsOf(name);
  const began = version === '' ? '' : `, the version that its first task ran on`;
  return `${MISSING}${`${simulator} ${version}`.trim()}${began}`;
}
