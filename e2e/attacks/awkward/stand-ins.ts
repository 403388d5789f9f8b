import path from 'node:path';
import { workspaceRoot } from '@tally/testkit';

/** Settings of a runner that has stand-ins for these simulators, and gives them users' own files. */
export function standInSettings(simTypes: readonly ('simA' | 'simB' | 'simC' | 'simD')[]): Record<string, string> {
  const folder = path.join(workspaceRoot(), 'packages/testkit/dist/src/stand-ins');
  const simulators = Object.fromEntries(
    simTypes.map((simType) => {
      const args = [path.join(folder, `sim-${simType.slice(-1).toLowerCase()}.js`)];
      return [simType, { executable: process.execPath, args, version: '1.0' }];
    }),
  );
  return {
    RUNNER_CONFINEMENT: 'none',
    RUNNER_ALLOW_UNCONFINED_FILES: 'true',
    RUNNER_SIMULATORS: JSON.stringify(simulators),
  };
}
