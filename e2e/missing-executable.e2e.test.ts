import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createRunDirectory,
  type HttpSession,
  removeRunDirectory,
  STAND_IN_VERSIONS,
  standInEnvironment,
  waitFor,
} from '@tally/testkit';
import { ended, exampleProject, results, startTestSuite, type TestSuite } from './fixtures/suite-fixture.js';

let suite: TestSuite;
let user: HttpSession;
let directory: string;

beforeAll(async () => {
  directory = createRunDirectory('executables');
  const notExecutable = path.join(directory, 'rfluka');
  writeFileSync(notExecutable, '#!/bin/sh\n', { mode: 0o644 });
  const { 'direct-runner': standIn } = standInEnvironment({ simA: directory });
  const simulators = {
    ...JSON.parse(standIn.RUNNER_SIMULATORS),
    simB: { executable: notExecutable },
    simC: { executable: path.join(directory, 'missing') },
  };
  const RUNNER_SIMULATORS = JSON.stringify(simulators);
  suite = await startTestSuite({ env: { 'direct-runner': { ...standIn, RUNNER_SIMULATORS } } });
  user = await suite.newUser();
});
afterAll(async () => {
  await suite?.stop();
  removeRunDirectory(directory);
});

async function engines(): Promise<string[]> {
  const { simulators } = await user.call<{ simulators: { engine: string }[] }>('GET', '/simulators');
  return simulators.map(({ engine }) => engine);
}

describe('executables that are configured and cannot be started', () => {
  it('are not offered, and those that can be are', async () => {
    await waitFor(async () => (await engines())[0] === `simA ${STAND_IN_VERSIONS.simA}`, { what: 'the report' });
    for (const engine of (await engines()).slice(1)) expect(engine).toMatch(/^reference \d/);
  });

  it.each(['simB', 'simC'])(
    'leave projects of %s to the built-in engine, as results and logs say',
    async (sim_type) => {
      const sim_data = exampleProject('proton-150mev-water', 200);
      const body = { sim_type, input_type: 'editor', ntasks: 1, sim_data };
      const { job_id: jobId } = await user.call<{ job_id: string }>('POST', '/jobs/direct', body);
      expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
      expect(await results(user, jobId)).toMatchObject({
        engine: expect.stringMatching(/^reference \d/),
        primaries: 200,
      });
      const { logfiles } = await user.call<{ logfiles: Record<string, string> }>('GET', `/logfiles?job_id=${jobId}`);
      expect(logfiles.task_1).toMatch(new RegExp(`engine: reference \\S+ \\(asked for: ${sim_type}\\)`));
    },
  );

  it('refuse files, naming the simulator', async () => {
    const sim_data = { 'mine.inp': 'START          300.0\nSTOP\n' };
    const body = { sim_type: 'simB', input_type: 'files', ntasks: 1, sim_data };
    const reply = await user.send('POST', '/jobs/direct', { body });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).toContain('simB');
  });
});
