import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { simulatorsSettings } from '../../src/simulator-settings.js';
import { deckOf, outputOf, writeOutput } from '../attempt.js';
import { useTestEnvironment } from '../stand-in/environment.js';

const environment = useTestEnvironment();

let programs: string;
beforeEach(async () => {
  programs = await mkdtemp(path.join(tmpdir(), 'tally-programs-')); // not the working folder: simulators do not see that
});
afterEach(() => rm(programs, { recursive: true }));

async function executable(name: string, banner: string): Promise<string> {
  const file = path.join(programs, name);
  await writeFile(file, `#!/bin/sh\necho "${banner}"\n`);
  await chmod(file, 0o755);
  return file;
}

describe('a runner', () => {
  it('reports again and again what it has found, with the versions that executables say of themselves', async () => {
    await environment.startRunner({
      id: 'one',
      reportMs: 50,
      confinement: 'none',
      simulators: simulatorsSettings.parse({
        simA: { executable: await executable('shieldhit', 'Version: v1.0.1') },
        simB: { executable: path.join(environment.workDir, 'missing') },
        simD: { executable: await executable('topas', 'asked too early') },
      }),
    });
    const reports = await waitFor(() => environment.jobs.runnerReports.length > 2 && environment.jobs.runnerReports);
    for (const report of reports) {
      expect(report).toEqual({
        runnerId: 'one',
        executables: [
          { simulator: jobs.Simulator.SIMULATOR_SIM_A, version: '1.0.1' },
          { simulator: jobs.Simulator.SIMULATOR_SIM_D, version: '' },
        ],
        confinement: jobs.Confinement.CONFINEMENT_NONE,
        refusesFiles: true,
        slots: 2,
      });
    }
  });

  it('asks again for what was not there, or did not say its version, and reports what it finds', async () => {
    const [missing, early] = [path.join(programs, 'fluka'), await executable('topas', 'asked too early')];
    await environment.startRunner({
      id: 'one',
      reportMs: 50,
      probePauseMs: 50,
      probePauseMsMax: 50,
      simulators: simulatorsSettings.parse({ simB: { executable: missing }, simD: { executable: early } }),
    });
    const reported = () => environment.jobs.runnerReports.at(-1)?.executables;
    await waitFor(() => reported()?.length === 1);
    await executable('fluka', 'FLUKA Version 4-4.0');
    await executable('topas', 'TOPAS Version: 3.9');
    await waitFor(() => reported()?.every(({ version }) => version !== '') && reported()?.length === 2);
    expect(reported()).toEqual(
      expect.arrayContaining([
        { simulator: jobs.Simulator.SIMULATOR_SIM_B, version: '4-4.0' },
        { simulator: jobs.Simulator.SIMULATOR_SIM_D, version: '3.9' },
      ]),
    );
  });

  it('runs a deck of the built-in engine on it, though it has an executable by now', async () => {
    await environment.startRunner({
      simulators: simulatorsSettings.parse({ simA: { executable: await executable('shieldhit', 'Version: v1.0.1') } }),
    });
    const attempt = await environment.submit(deckOf(writeOutput(outputOf(100))));
    expect((await environment.endOf(attempt)).$case).toBe('completed');
    expect(environment.results.logs.get(attempt.order.attemptId)).toMatch(/^engine: reference \S+ \(asked for: simA\)/);
  });
});
