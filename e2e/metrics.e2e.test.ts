import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  compareMetricRecording,
  freePort,
  type HttpSession,
  SERVICES,
  type ServiceName,
  waitFor,
} from '@tally/testkit';
import { ended, exampleProject, reached, startTestSuite, submit, type TestSuite } from './fixtures/suite-fixture.js';

const PREFIX: Readonly<Record<ServiceName, string>> = {
  auth: 'AUTH',
  results: 'RESULTS',
  'batch-bridge': 'BATCH',
  jobs: 'JOBS',
  gateway: 'GATEWAY',
  'direct-runner': 'RUNNER',
};

/** It is reported, and nothing is run on it. */
const SIM_C = JSON.stringify({ simC: { executable: process.execPath, version: '11.2' } });

let suite: TestSuite;
let user: HttpSession;
const addresses = new Map<ServiceName, string>();

beforeAll(async () => {
  for (const service of SERVICES) addresses.set(service, `127.0.0.1:${await freePort()}`);
  const settings = SERVICES.map((service) => [
    service,
    { [`${PREFIX[service]}_METRICS_ADDRESS`]: addresses.get(service) ?? '' },
  ]);
  const env = Object.fromEntries(settings) as Record<ServiceName, Record<string, string>>;
  const runner = { ...env['direct-runner'], RUNNER_SLOTS: '3', RUNNER_SIMULATORS: SIM_C };
  const jobs = { ...env.jobs, JOBS_LEASE_MS: '2000', JOBS_HEARTBEAT_MS: '500' };
  const bounds = { jobs: { runnerExpiryMs: 3_000 }, 'direct-runner': { reportMs: 500 } };
  suite = await startTestSuite({ env: { ...env, jobs, 'direct-runner': runner }, bounds });
  user = await suite.newUser();
}, 180_000);
afterAll(() => suite?.stop());

const fetchMetrics = async (service: ServiceName) => (await fetch(`http://${addresses.get(service)}/metrics`)).text();

/** Numbers of a service by name and labels as Prometheus writes them, the label `service` left out. */
async function scrape(service: ServiceName): Promise<Map<string, number>> {
  const text = await fetchMetrics(service);
  const numbers = new Map<string, number>();
  for (const line of text.split('\n')) {
    const match = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (match === null) continue;
    const labels = (match[2] ?? '').split(',').filter((label) => label !== '' && !label.startsWith('service='));
    numbers.set(`${match[1]}{${labels.sort().join(',')}}`, Number(match[3]));
  }
  return numbers;
}

describe('metrics', () => {
  it('tell what became of a job, who logged in and how much is stored', async () => {
    const empty = (await scrape('results')).get('tally_results_stored_bytes{kind="output"}') ?? Number.NaN;
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 300), ntasks: 2 });
    await ended(user, jobId);
    await user.send('POST', '/auth/login', { body: { username: 'nobody-here', password: 'guess-guess-guess' } });

    const jobs = await scrape('jobs');
    expect(jobs.get('tally_jobs{state="COMPLETED"}')).toBe(1);
    expect(jobs.get('tally_runners{simulator="simC",version="11.2"}')).toBe(1);
    expect(jobs.get('tally_tasks_open{state="RUNNING"}')).toBe(0);
    expect(jobs.get('tally_queue_messages{queue="direct.tasks"}')).toBe(0);
    expect(jobs.get('tally_queue_messages{queue="direct.tasks.dead"}')).toBe(0);
    expect(jobs.get('tally_outbox_oldest_seconds{}')).toBe(0);
    expect(jobs.get('tally_task_queue_seconds_count{platform="direct"}')).toBe(2);
    expect(jobs.get('tally_job_seconds_count{platform="direct",state="COMPLETED"}')).toBe(1);
    const auth = await scrape('auth');
    expect(auth.get('tally_auth_events_total{event="auth.session.created",reason=""}')).toBe(1);
    expect(auth.get('tally_auth_events_total{event="auth.session.refused",reason="CREDENTIALS_WRONG"}')).toBe(1);
    const runner = await scrape('direct-runner');
    expect(runner.get('tally_runner_slots{}')).toBe(3);
    expect(runner.get('tally_runner_slots_busy{}')).toBe(0);
    expect(runner.get('tally_runner_work_seconds_count{}')).toBe(2);
    expect((await scrape('results')).get('tally_results_stored_bytes{kind="output"}')).toBeGreaterThan(empty);
    const gateway = await scrape('gateway');
    expect(gateway.get('tally_calls_seconds_count{kind="call",method="POST /jobs/direct",status="202"}')).toBe(1);
    expect(gateway.get('tally_event_streams_open{}')).toBe(0);
    for (const service of SERVICES) {
      const names = [...(await scrape(service)).keys()];
      expect(names).toContainEqual(expect.stringMatching(/^tally_build_info\{node="[\d.]+",version="[\d.]+"\}$/));
    }
    for (const numbers of [auth, await scrape('results')])
      expect(numbers.get('tally_database_connections{state="waiting"}')).toBe(0);
    // without clusters there is nothing to record of batch-bridge: its contract test does
    for (const service of SERVICES.filter((name) => name !== 'batch-bridge'))
      expect([service, compareMetricRecording(service, await fetchMetrics(service))]).toEqual([service, []]);
  });

  it('count the work in hand, and a worker that is not heard of any more', async () => {
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 10_000_000), ntasks: 1 });
    await reached(user, jobId, ({ job_state: state }) => state === 'RUNNING');
    const isBusy = async () => (await scrape('direct-runner')).get('tally_runner_slots_busy{}') === 1;
    await waitFor(isBusy, { what: 'the runner to count its task' }); // jobs says RUNNING a moment before the runner hears of it
    const before = await scrape('jobs');
    expect(before.get('tally_jobs{state="RUNNING"}')).toBe(1);
    expect(before.get('tally_tasks_open{state="RUNNING"}')).toBe(1);
    expect(before.get('tally_leases_lost_total{}')).toBe(0);
    expect(before.get('tally_task_oldest_pending_seconds{}')).toBe(0);
    await suite.process('direct-runner-1').kill();
    const lost = async () => (await scrape('jobs')).get('tally_leases_lost_total{}') || undefined;
    expect(await waitFor(lost, { what: 'the lost lease' })).toBe(1);
    const after = await scrape('jobs');
    expect(after.get('tally_tasks_open{state="PENDING"}')).toBe(1);
    expect(after.get('tally_task_oldest_pending_seconds{}')).toBeGreaterThan(0);
    // nobody takes it: it stays in the outbox or the queue
    const waiting = ['jobs', 'queue'].map((place) => after.get(`tally_outbox_messages{place="${place}"}`));
    expect(waiting.filter((count) => count === 1)).toHaveLength(1);
    const body = { sim_type: 'simC', input_type: 'editor', ntasks: 2, on_unsupported: 'omit' };
    const sim_data = exampleProject('proton-150mev-water', 300);
    await user.call('POST', '/jobs/direct', { ...body, sim_data });
    const parked = async () => (await scrape('jobs')).get('tally_tasks_parked{simulator="simC",version=""}') === 2;
    await waitFor(parked, { what: 'tasks that no live runner can run' });
    expect((await scrape('jobs')).get('tally_runners{simulator="simC",version="11.2"}')).toBe(0);
    expect(compareMetricRecording('jobs-waiting', await fetchMetrics('jobs'))).toEqual([]);
  });
});
