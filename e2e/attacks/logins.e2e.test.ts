import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { HttpSession } from '@tally/testkit';
import { exampleProject, reached, startTestSuite, submit, type TestSuite } from '../fixtures/suite-fixture.js';

/*
 * A course begins while all cores simulate. Simulators have niceness 19, so hashes of passwords come first: alone with simulations the 40
 * are in after less than 20 s. The limit leaves room for what else runs on the machine.
 */

const STUDENTS = 40;
const IN_SECONDS_MAX = 60;

let suite: TestSuite;
beforeAll(async () => {
  suite = await startTestSuite();
});
afterAll(() => suite?.stop());

/** As a browser does it: comes again when it is told to. Resolves to the answers. */
async function signIn(session: HttpSession, body: object): Promise<number[]> {
  const statuses: number[] = [];
  for (;;) {
    const { status, headers } = await session.send('POST', '/auth/login', { body });
    statuses.push(status);
    if (status === 202) return statuses;
    if (![429, 503, 504].includes(status)) throw new Error(`a login was answered ${status}`);
    await sleep(1_000 * Number(headers.get('retry-after') ?? 1));
  }
}

it('40 users who sign in at once while simulations run are all in, whoever of them has to come again', async () => {
  const names = Array.from({ length: STUDENTS }, (_, i) => `student-${i}`);
  const credentialsOf = (username: string) => ({ username, password: 'correct horse battery' });
  for (const name of names) await suite.newSession().request('PUT', '/auth/register', { body: credentialsOf(name) });
  const user = await suite.newUser();
  const long = await submit(user, { project: exampleProject('proton-150mev-water', 100_000_000), ntasks: 8 });
  await reached(user, long, ({ job_state: state }) => state === 'RUNNING');
  const begun = performance.now();
  const answers = await Promise.all(names.map((name) => signIn(suite.newSession(), credentialsOf(name))));
  const seconds = (performance.now() - begun) / 1_000;
  process.stdout.write(`${STUDENTS} logins in ${seconds.toFixed(1)} s, of ${answers.flat().length} requests\n`);
  expect(seconds).toBeLessThan(IN_SECONDS_MAX);
  await user.request('DELETE', '/jobs/direct', { query: { job_id: long } });
}, 240_000);
