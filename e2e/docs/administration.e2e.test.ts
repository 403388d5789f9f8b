import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, waitFor, workspaceRoot } from '@tally/testkit';
import { type InstalledCommand, installCommand } from '../cli/installed-command.js';
import {
  ended,
  exampleProject,
  jobStatus,
  OPERATOR,
  startTestSuite,
  submit,
  type TestSuite,
} from '../fixtures/suite-fixture.js';

const WHY = 'asked for by phone';

/** Commands of the table of administration.md, as they stand there: short ones go on from the one before. */
function documentedCommands(): string[] {
  const page = readFileSync(path.join(workspaceRoot(), 'docs/administration.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.includes('`tally admin '));
  return rows.flatMap((row) => {
    const [, command = ''] = row.split(' | ');
    return [...command.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replace(/^tally admin /, ''));
  });
}

describe("an operator's tasks from a shell, command by command as administration.md has them", () => {
  let suite: TestSuite;
  let command: InstalledCommand;
  let ann: HttpSession;
  const done = new Set<string>();
  const long = () => submit(ann, { project: exampleProject('proton-150mev-water', 500_000_000), ntasks: 2 });

  /** Runs a command of the page with what its words stand for. */
  async function run(documented: string, args: readonly string[]): Promise<string> {
    done.add(documented);
    const signIn = ['-u', OPERATOR.username, '--password-stdin'];
    const { code, stdout, stderr } = await command.tally(['admin', ...args, ...signIn], `${OPERATOR.password}\n`);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }
  const plain = (documented: string, ...values: readonly [string, string][]) =>
    run(
      documented,
      documented.split(' ').map((word) => values.find(([name]) => name === word)?.[1] ?? (word === 'WHY' ? WHY : word)),
    );

  beforeAll(async () => {
    suite = await startTestSuite({ bounds: { 'direct-runner': { reportMs: 200 } } });
    command = await installCommand(suite);
    ann = await suite.newUser();
    await suite.newOperator();
  });
  afterAll(() => suite?.stop());

  it('who runs and waits, and why; jobs by all that is known of them', async () => {
    const jobId = await long();
    await waitFor(async () => (await jobStatus(ann, jobId)).job_state === 'RUNNING', { what: 'a running job' });
    expect(await plain('jobs --state open')).toMatch(new RegExp(`^${jobId} +user-1 +RUNNING`, 'm'));
    expect(await plain('load --by user')).toMatch(/^user-1 +1 /m);
    for (const key of ['group', 'cluster', 'runner', 'simulator', 'reason']) {
      done.add(key);
      expect(await run('load --by user', ['load', '--by', key])).toContain('JOBS');
    }
    const [, runner = ''] = /^(\S+) +[12] /m.exec(await plain('runners')) ?? [];
    expect(runner).not.toBe('');
    const operator = await suite.newOperator();
    const { jobs } = await operator.request('GET', '/admin/jobs', { query: { job_id: jobId } });
    const requestId = jobs[0]?.request_id ?? '';
    for (const [documented, args] of [
      ['jobs --job ID', ['--job', jobId]],
      ['--user NAME', ['--user', 'user-1']],
      ['--request ID', ['--request', requestId]],
      ['--runner ID', ['--runner', runner]],
    ] as const) {
      expect(await run(documented, ['jobs', ...args])).toContain(jobId);
    }
    expect(await plain('drain RUNNER -r WHY', ['RUNNER', runner])).toContain('takes no more tasks');
    expect(await run('undrain', ['undrain', runner, '-r', WHY])).toContain('takes tasks');
    expect(await plain('fail ID -r WHY', ['ID', jobId])).toContain('FAILED');
    expect((await jobStatus(ann, jobId)).failure_reason).toMatchObject({ detail: WHY });
    expect(await plain('retry ID -r WHY', ['ID', jobId])).toContain('run again');
    expect(await plain('cancel ID -r WHY', ['ID', jobId])).toContain('canceled');
    const short = await submit(ann, { project: exampleProject('proton-150mev-water', 1_000), ntasks: 1 });
    await ended(ann, short);
    expect(await plain('merge ID -r WHY', ['ID', short])).toContain('merged again');
    await ended(ann, short);
  }, 240_000);

  it('submissions, quotas and retention', async () => {
    const body = {
      sim_type: 'simA',
      input_type: 'editor',
      ntasks: 1,
      sim_data: exampleProject('proton-150mev-water', 10),
    };
    await plain('pause direct --sentence TEXT -r WHY', ['TEXT', 'Maintenance until 14:00']);
    const refused = await ann.send('POST', '/jobs/direct', { body });
    expect([refused.status, refused.body.message]).toEqual([503, 'Maintenance until 14:00']);
    expect(await plain('pauses')).toContain('Maintenance until 14:00');
    await run('resume', ['resume', 'direct', '-r', WHY]);
    expect((await ann.send('POST', '/jobs/direct', { body })).status).toBe(202);
    await plain('set-quota NAME --processor-seconds 360000 --running-tasks 8 -r WHY', ['NAME', 'user-1']);
    expect(await plain('quotas')).toMatch(/^user-1 +360000 +usual +8/m);
    const month = new Date().toISOString().slice(0, 7);
    const usage = await run('usage --from 2026-01 --to 2026-12', ['usage', '--from', month]);
    expect(usage).toMatch(new RegExp(`^${month} +user-1 +\\d+(\\.\\d+)? +[1-9]\\d*$`, 'm'));
    const csv = await run('--format csv', ['usage', '--format', 'csv']);
    expect(csv).toMatch(/^month,user_id,user,processor_seconds,stored_bytes\n/);
    expect(csv).toMatch(new RegExp(`^${month},\\d+,user-1,[\\d.]+,[1-9]\\d*$`, 'm'));
    expect(await plain('retention --dry-run --rule logs:any:90')).toMatch(/^logs +any +90 +0 +0/m);
    expect(await plain('set-retention --rule logs:any:90 -r WHY')).toContain('hold');
    expect(await run('retention', ['retention'])).toMatch(/^set /);
  }, 120_000);

  it('users: found, blocked, signed out, given a new password, handed over and deleted', async () => {
    await suite.newUser();
    await suite.newUser();
    expect(await plain('users ANN', ['ANN', 'user-'])).toMatch(/user-1 +local +active/);
    await plain('block NAME -r WHY', ['NAME', 'user-2']);
    expect(await run('users ANN', ['users', 'user-2'])).toContain('blocked');
    await run('unblock', ['unblock', 'user-2', '-r', WHY]);
    await run('end-sessions', ['end-sessions', 'user-1', '-r', WHY]);
    expect((await ann.send('GET', '/auth/status')).status).toBe(401);
    expect(await plain('reset-password NAME -r WHY', ['NAME', 'user-1'])).toContain('/console/password#');
    const given = await plain('delete-user NAME --new-owner OTHER -r WHY', ['NAME', 'user-1'], ['OTHER', 'user-2']);
    expect(given).toMatch(/given to user-2 within minutes: 3 jobs, 0 projects/);
    const has = async () => (await run('--user NAME', ['jobs', '--user', 'user-2'])).split('\n').length > 3;
    await waitFor(has, { what: 'the jobs of the new owner', timeoutMs: 60_000 });
    expect(await plain('delete-user NAME -r WHY', ['NAME', 'user-3'])).toContain('User deleted');
  }, 180_000);

  it('what operators did; and no command of the page was left out', async () => {
    const trail = await plain('audit --format csv');
    for (const action of ['jobs.fail', 'retention.set', 'users.delete', 'quotas.set', 'pauses.set', 'runners.drain'])
      expect(trail).toContain(`,${action},`);
    expect(trail).not.toContain(',jobs.list,');
    expect(await run('--all', ['audit', '--all'])).toContain(',jobs.list,');
    expect(documentedCommands().filter((code) => !done.has(code))).toEqual([]);
  }, 60_000);
});
