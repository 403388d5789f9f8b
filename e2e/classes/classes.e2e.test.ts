import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, runStatement, waitFor } from '@tally/testkit';
import pg from 'pg';
import {
  exampleProject,
  OPERATOR,
  startTestSuite,
  submit,
  TEACHER,
  type TestSuite,
} from '../fixtures/suite-fixture.js';

const DAY_MS = 86_400_000;
const PASSWORD = 'a good password';
const reason = 'a course';

/** Classes with all services, without a browser. */
describe('a class', () => {
  let suite: TestSuite;
  let teacher: HttpSession;
  const course = (name: string, usernames: string[], more: object = {}) => ({
    body: {
      name,
      usernames,
      ends_at: new Date(Date.now() + 30 * DAY_MS).toISOString(),
      at_end: 'delete' as const,
      quota: { running_tasks: 2 },
      reason,
      ...more,
    },
  });
  const listed = async () => (await teacher.request('GET', '/admin/classes')).classes;
  const quotas = async () => (await (await suite.newOperator()).request('GET', '/admin/quotas')).quotas;

  beforeAll(async () => {
    suite = await startTestSuite({ bounds: { auth: { housekeepingIntervalMs: 500 } } });
    teacher = await suite.newTeacher();
  }, 120_000);
  afterAll(() => suite?.stop());

  /** Holds what creating a class must change first, so that auth waits in the middle of it. */
  async function holdMemberships() {
    const client = new pg.Client({ connectionString: suite.databases.auth });
    await client.connect();
    await client.query('BEGIN');
    await client.query('UPDATE memberships_version SET version = version WHERE id = 1');
    return async () => {
      await client.query('ROLLBACK');
      await client.end();
    };
  }

  it.each(['auth', 'gateway'])(
    'is whole or not there when %s is killed in between, and a repeat makes it',
    async (victim) => {
      const usernames = [`${victim}-1`, `${victim}-2`];
      const release = await holdMemberships();
      const before = (await quotas()).length;
      const making = teacher
        .send('POST', '/admin/classes', course(`killed ${victim}`, usernames))
        .catch(() => undefined);
      const isTold = async () => (await quotas()).length === before + 2;
      await waitFor(isTold, { what: 'what jobs is told' });
      const process = suite.process(victim);
      await process.kill();
      await release();
      await making;
      await process.start();
      teacher = await waitFor(() => suite.newTeacher().catch(() => undefined), { what: 'a login', timeoutMs: 60_000 });
      const there = (await listed()).find(({ name }) => name === `killed ${victim}`);
      if (there === undefined) await teacher.request('POST', '/admin/classes', course(`killed ${victim}`, usernames));
      const [made, ...others] = (await listed()).filter(({ name }) => name === `killed ${victim}`);
      expect(others).toEqual([]);
      expect(made?.students.map(({ username, quota }) => [username, quota.running_tasks])).toEqual(
        usernames.map((username) => [username, 2]),
      );
      const due = await runStatement(suite.databases.jobs, 'SELECT owner_id FROM leaving_owners');
      const leaving = new Set(due.map(({ owner_id }) => Number(owner_id)));
      expect(made?.students.every(({ user_id }) => leaving.has(user_id))).toBe(true);
    },
    180_000,
  );

  it('ends on its day: nobody can log in, and all work goes', async () => {
    const { invitations } = await teacher.request('POST', '/admin/classes', course('short', ['mira']));
    const mira = suite.newSession();
    const token = invitations[0]?.link.split('#')[1] ?? '';
    await mira.request('POST', '/auth/password-reset/confirm', { body: { token, new_password: PASSWORD } });
    await mira.request('POST', '/auth/login', { body: { username: 'mira', password: PASSWORD } });
    const jobId = await submit(mira, { project: exampleProject('proton-150mev-water', 500_000_000), ntasks: 1 });
    await runStatement(suite.databases.auth, "UPDATE classes SET ends_at = now() WHERE name = 'short'");
    await runStatement(suite.databases.jobs, 'UPDATE leaving_owners SET due_at = now() WHERE due_at > now()');
    const isOut = async () => (await mira.send('GET', '/auth/status')).status === 401;
    await waitFor(isOut, { what: 'the end of the class' });
    const again = await mira.send('POST', '/auth/login', { body: { username: 'mira', password: PASSWORD } });
    expect(again.body.code).toBe('USER_BLOCKED');
    const operator = await suite.newOperator();
    const gone = async () =>
      (await operator.request('GET', '/admin/jobs', { query: { job_id: jobId } })).jobs.length === 0;
    await waitFor(gone, { what: 'the removal of the job', timeoutMs: 60_000 });
  }, 120_000);

  it('leaves what teachers may not: other routes of operators, an operator’s names, and API tokens', async () => {
    for (const [method, path, body] of [
      ['GET', '/admin/users', undefined],
      ['GET', '/admin/jobs', undefined],
      ['GET', '/admin/audit', undefined],
      ['POST', '/admin/users/delete', { user_id: 1, reason }],
      ['POST', '/admin/users/reset', { user_id: 1, reason }],
      ['PUT', '/admin/quotas', { user_id: 1, running_tasks: 1, reason }],
    ] as const) {
      const refused = await teacher.send(method, path, { body });
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'ROLE_REQUIRED']);
    }
    const taken = await teacher.send('POST', '/admin/classes', course('bad', [OPERATOR.username, TEACHER.username]));
    expect(taken.status).toBe(400);
    const operator = await suite.newOperator();
    const { entries } = await operator.request('GET', '/admin/audit', {
      query: { operator: TEACHER.username },
    });
    expect(entries.map(({ action }) => action)).toContain('classes.create');
  });
});
