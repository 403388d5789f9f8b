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
import { exampleProject, startTestSuite, type TestSuite } from './fixtures/suite-fixture.js';

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
  suite = await startTestSuite({
    env: { jobs: { JOBS_BUILT_IN_ENGINE: 'auto' }, 'direct-runner': { ...standIn, RUNNER_SIMULATORS } },
  });
  user = await suite.newUser();
});
afterAll(async () => {
  await suite?.stop();
  removeRunDirectory(directory);
});

type Offer = { readonly sim_type: string; readonly available: boolean; readonly engine: string };
async function offered(): Promise<Offer[]> {
  return (await user.call<{ simulators: Offer[] }>('GET', '/simulators')).simulators;
}

describe('executables that are configured and cannot be started', () => {
  it('are not offered, and those that can be are', async () => {
    await waitFor(async () => (await offered())[0]?.engine === `simA ${STAND_IN_VERSIONS.simA}`, {
      what: 'the report',
    });
    expect((await offered()).slice(1)).toEqual(
      ['simB', 'simC', 'simD'].map((sim_type) => ({ sim_type, available: false, engine: '' })),
    );
  });

  it.each([
    ['editor', exampleProject('proton-150mev-water', 200)],
    ['files', { 'mine.inp': 'START          300.0\nSTOP\n' }],
  ])('are not replaced by the built-in engine: input of type %s is refused', async (input_type, sim_data) => {
    const body = { sim_type: 'simB', input_type, ntasks: 1, sim_data };
    const reply = await user.send('POST', '/jobs/direct', { body });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ message: expect.stringContaining('simB is not installed here') });
  });
});
