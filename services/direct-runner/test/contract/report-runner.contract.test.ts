import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { deckOf, outputOf, writeOutput } from '../attempt.js';
import { useWorld } from '../stand-in/world.js';

const world = useWorld();

async function executable(name: string, banner: string): Promise<string> {
  const file = path.join(world.workDir, name);
  await writeFile(file, `#!/bin/sh\necho "${banner}"\n`);
  await chmod(file, 0o755);
  return file;
}

describe('a runner', () => {
  it('reports again and again what it has found, with the versions that executables say of themselves', async () => {
    await world.startRunner({
      id: 'one',
      reportMs: 50,
      simAExecutable: await executable('shieldhit', 'Version: v1.0.1'),
      simBExecutable: path.join(world.workDir, 'missing'),
      simDExecutable: await executable('topas', 'asked too early'),
    });
    const reports = await waitFor(() => world.jobs.runnerReports.length > 2 && world.jobs.runnerReports);
    for (const report of reports) {
      expect(report).toEqual({
        runnerId: 'one',
        executables: [
          { simulator: jobs.Simulator.SIMULATOR_SIM_A, version: '1.0.1' },
          { simulator: jobs.Simulator.SIMULATOR_SIM_D, version: '' },
        ],
      });
    }
  });

  it('runs a deck of the built-in engine on it, though it has an executable by now', async () => {
    await world.startRunner({ simAExecutable: await executable('shieldhit', 'Version: v1.0.1') });
    const attempt = await world.submit(deckOf(writeOutput(outputOf(100))));
    expect((await world.endOf(attempt)).$case).toBe('completed');
    expect(world.results.logs.get(attempt.order.attemptId)).toMatch(/^engine: reference \S+ \(asked for: simA\)/);
  });
});
