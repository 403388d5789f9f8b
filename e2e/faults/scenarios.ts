import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type HttpSession, waitFor } from '@tally/testkit';
import { exampleProject, flatten, type Results, results } from '../fixtures/suite-fixture.js';
import { randomOf } from './fault-schedule.js';
import { type FaultySuite, startFaultySuite, type Way } from './faulty-suite.js';
import { insist, PATIENCE_MS, RETRY_MS } from './insist.js';
import { query } from './leftovers.js';

type LinkState = Parameters<Way['proxy']['set']>[0];

/** Jobs that are submitted at once, and how every way between two processes behaves meanwhile. */
export interface Scenario {
  readonly name: string;
  readonly jobs: number;
  readonly tasks: number;
  readonly link: LinkState;
}

const UP: LinkState = { kind: 'up' };
/** The table of docs/reliability.md. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'S1', jobs: 1, tasks: 4, link: UP },
  { name: 'S2', jobs: 1, tasks: 8, link: UP },
  { name: 'S3', jobs: 1, tasks: 16, link: UP },
  { name: 'S4', jobs: 1, tasks: 32, link: UP },
  { name: 'S5', jobs: 5, tasks: 8, link: UP },
  { name: 'S6', jobs: 10, tasks: 8, link: UP },
  { name: 'S7', jobs: 10, tasks: 8, link: { kind: 'delayed', delayMs: 125 } }, // there and back: 250 ms
  { name: 'S8', jobs: 10, tasks: 8, link: { kind: 'lossy', share: 0.05 } },
];

/** What a scenario took, milliseconds. */
export interface ScenarioReport {
  readonly scenario: Scenario;
  /** From the first submission until the last job is COMPLETED. */
  readonly totalMs: number;
  /** Of each task: from its claim until its end is known, output stored. */
  readonly runMs: readonly number[];
  /** Of each job: from its last task's end until it is COMPLETED. */
  readonly mergeMs: readonly number[];
  /** Of each task: how long results takes for its output. */
  readonly storeMs: readonly number[];
  readonly violations: readonly string[];
}

const PRIMARIES = 16_000;
const SEED = '17';
const STORE_CALLS = /\/PutTaskOutput"/;

/** Runs scenarios one after the other, on a suite in two copies of each service, with two runners of two slots. */
export async function runScenarios(scenarios: readonly Scenario[]): Promise<ScenarioReport[]> {
  const on = await startFaultySuite({ copies: 2, hasCluster: false, random: randomOf(1) });
  try {
    const user = await on.suite.newUser();
    const [jobId] = await submitAll(user, { name: 'undisturbed', jobs: 1, tasks: 1, link: UP });
    const truth = await resultsOf(user, jobId ?? '');
    const reports: ScenarioReport[] = [];
    for (const scenario of scenarios) {
      process.stdout.write(`${scenario.name} …\n`);
      reports.push(await runScenario(on, user, scenario, truth));
    }
    return reports;
  } finally {
    await on.stop();
  }
}

async function runScenario(
  on: FaultySuite,
  user: HttpSession,
  scenario: Scenario,
  truth: Results,
): Promise<ScenarioReport> {
  for (const { proxy } of on.ways) proxy.set(scenario.link);
  const startedAt = new Date();
  const from = performance.now();
  const jobIds = await submitAll(user, scenario).finally(() => {
    for (const { proxy } of on.ways) proxy.set(UP);
  });
  const totalMs = performance.now() - from;
  const storeMs = storeTimes(on, startedAt);
  const violations: string[] = [];
  for (const jobId of jobIds) {
    const found = await resultsOf(user, jobId);
    if (found.primaries !== truth.primaries || !isDeepStrictEqual(flatten(found), flatten(truth)))
      violations.push(`${scenario.name}: job ${jobId} gave other values than an undisturbed one`);
  }
  const { runMs, mergeMs } = await stageTimes(on, jobIds);
  return { scenario, totalMs, runMs, mergeMs, storeMs, violations };
}

/** Resolves to the jobs' ids when all are COMPLETED. */
async function submitAll(user: HttpSession, { name, jobs, tasks }: Scenario): Promise<string[]> {
  const login = async () => {}; // a session lasts longer than all scenarios
  const sim_data = exampleProject('proton-150mev-water', PRIMARIES);
  const body = { sim_type: 'simA', input_type: 'editor', ntasks: tasks, seed: SEED, sim_data } as const;
  const runOne = async (number: number): Promise<string> => {
    const headers = { 'Idempotency-Key': `${name}-${number}` };
    const submit = () => user.request('POST', '/jobs/direct', { body, headers });
    const { job_id: jobId } = await insist(submit, { login });
    await waitFor(
      async () => {
        const ask = () => user.request('GET', '/jobs/direct', { query: { job_id: jobId } });
        const { job_state: state } = await insist(ask, { login });
        if (state === 'FAILED' || state === 'CANCELED') throw new Error(`${name}: job ${jobId} is ${state}`);
        return state === 'COMPLETED';
      },
      { timeoutMs: 2 * PATIENCE_MS, intervalMs: RETRY_MS, what: `the end of job ${jobId} of ${name}` },
    );
    return jobId;
  };
  return Promise.all(Array.from({ length: jobs }, (_, number) => runOne(number)));
}

function resultsOf(user: HttpSession, jobId: string): Promise<Results> {
  return insist(() => results(user, jobId), { login: async () => {} });
}

/** From the changes as listeners hear them. */
async function stageTimes(on: FaultySuite, jobIds: readonly string[]) {
  const rows = await query<{ job_id: string; task_id: number | null; state: string; ms: number }>(
    on.databases.jobs,
    `SELECT job_id, task_id, state, (extract(epoch FROM happened_at) * 1000)::float8 AS ms FROM job_events
     WHERE kind IN ('job', 'task') AND state IS NOT NULL ORDER BY id`,
  );
  const at = (jobId: string, taskId: number | null, state: string) =>
    rows.find((row) => row.job_id === jobId && row.task_id === taskId && row.state === state)?.ms ?? Number.NaN;
  const tasks = [...new Set(rows.map((row) => row.task_id).filter((id) => id !== null))];
  const runMs = jobIds.flatMap((jobId) => tasks.map((id) => at(jobId, id, 'COMPLETED') - at(jobId, id, 'RUNNING')));
  const mergeMs = jobIds.map((jobId) => at(jobId, null, 'COMPLETED') - at(jobId, null, 'MERGING_QUEUED'));
  return { runMs: runMs.filter(Number.isFinite), mergeMs: mergeMs.filter(Number.isFinite) };
}

/** From the lines that results has written for each call since then. */
function storeTimes(on: FaultySuite, since: Date): number[] {
  const logs = on.copiesOf('results').map((name) => readFileSync(path.join(on.directory, `${name}.log`), 'utf8'));
  const calls = logs.flatMap((log) => log.split('\n')).filter((line) => STORE_CALLS.test(line));
  return calls
    .map((line) => JSON.parse(line) as { time: string; status: string; duration_ms: number })
    .filter(({ time, status }) => status === 'OK' && new Date(time) >= since)
    .map(({ duration_ms: durationMs }) => durationMs);
}
