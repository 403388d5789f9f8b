import path from 'node:path';
import process from 'node:process';
import { workspaceRoot } from '../workspace-root.js';
import { BEHAVIOURS_VARIABLE, type Behaviour, DIRECTORY_VARIABLE } from './behaviour.js';

const PROGRAMS = { simA: 'sim-a', simB: 'sim-b', simC: 'sim-c', simD: 'sim-d' } as const;
export type StandInSimulator = keyof typeof PROGRAMS;

/** Settings of the suite, for `SuiteOptions.env`. */
export interface StandInEnvironment {
  readonly 'direct-runner': Readonly<Record<string, string>> & { readonly RUNNER_SIMULATORS: string };
}

/** They note what they do in a folder that all share, which nothing confined may do. */
const UNCONFINED = { RUNNER_CONFINEMENT: 'none', RUNNER_ALLOW_UNCONFINED_FILES: 'true' };

/**
 * Has the suite run stand-ins for these simulators, not confined. They must have been built.
 * @param directory - a folder of its own for each simulator; see `readStandInNotes`
 * @param behaviours - by number of arrival of the task, from 1; the others end well
 */
export function standInEnvironment(
  directories: Partial<Readonly<Record<StandInSimulator, string>>>,
  behaviours: Readonly<Record<number, Behaviour>> = {},
): StandInEnvironment {
  const simulators = Object.entries(PROGRAMS).flatMap(([simType, program]) => {
    const directory = Object.entries(directories).find(([name]) => name === simType)?.[1];
    return directory === undefined ? [] : [{ simType, program, directory }];
  });
  const settings = simulators.map(({ simType, program, directory }) => {
    const script = path.join(workspaceRoot(), 'packages/testkit/dist/src/stand-ins', `${program}.js`);
    const env = { [DIRECTORY_VARIABLE]: directory, [BEHAVIOURS_VARIABLE]: JSON.stringify(behaviours) };
    return [simType, { executable: process.execPath, args: [script], env }];
  });
  const RUNNER_SIMULATORS = JSON.stringify(Object.fromEntries(settings));
  return { 'direct-runner': { ...UNCONFINED, RUNNER_SIMULATORS } };
}
