import { Connection, encodeRequest } from '../load/connection.mjs';
import { least, perUnit, without } from './counter.mjs';

const JOB_TASKS = 20;
const JOB_ROUNDS = 2;
const JOB_POLL_MS = 250;
const SUBMISSIONS = 20;

/** What each operation costs, by its name. */
export async function countOperations(started, counter) {
  const { api, suite } = started;
  const counts = { 'a second with a runner': await counter.countIdle() };
  const jobs = await countJobs(counter, api);
  await suite.process('direct-runner-1').stop();
  const headers = await api.login();
  const { jobId } = await api.submit(headers, 10);
  counts['a second without a runner'] = await counter.countIdle();
  await countRequests(counter, api, { headers, jobId }, counts);
  const rest = (job) =>
    without(without(job, counts['submission, 10 tasks']), counts['status poll, 10 tasks'], job.polls);
  counts['no-op task'] = least(jobs.map((job) => perUnit(rest(job), JOB_TASKS)));
  return counts;
}

/** Jobs of no-op tasks from submission to end, and how often their state was asked for. */
async function countJobs(counter, api) {
  const headers = await api.login();
  const jobs = [];
  for (let round = -1; round < JOB_ROUNDS; round++) {
    let polls = 0;
    const isCompleted = ({ state }) => ++polls > 0 && state === 'COMPLETED';
    const work = async () => {
      const { jobId } = await api.submit(headers, JOB_TASKS);
      await api.reached(headers, jobId, isCompleted, JOB_POLL_MS);
    };
    const count = await counter.count(work);
    if (round >= 0) jobs.push({ ...count, polls });
  }
  return jobs;
}

async function countRequests(counter, api, { headers, jobId }, counts) {
  const connection = new Connection(api.baseUrl);
  const send = async (encoded) => {
    const { status } = await connection.send(encoded);
    if (status >= 300) throw new Error(`status ${status}`);
  };
  const post = (request) => send(encodeRequest(api.baseUrl, request));
  const get = (target) => {
    const encoded = encodeRequest(api.baseUrl, { path: target, headers });
    return () => send(encoded);
  };
  const worker = api.worker(jobId);
  let delivered = '';
  const newWorker = async () => {
    delivered = (await api.submit(headers, 1)).jobId;
    await get(`/inputs?job_id=${delivered}`)(); // results has it: its delivery is not counted with what follows
    return api.worker(delivered);
  };
  const count = async (name, units, run, prepare) => {
    counts[name] = await counter.countEach(units, run, prepare);
  };
  await count('GET /', 300, get('/'));
  await count('GET /auth/status', 300, get('/auth/status'));
  await count('login', 20, () => post(api.loginRequest('bench')));
  await count('status poll, 10 tasks', 150, get(`/jobs/direct?job_id=${jobId}`));
  await count('list', 150, get('/user/simulations'));
  const projectId = await api.keepProject(headers);
  let revision = 0;
  await count('save of a project', 40, () => post(api.projectSave(headers, projectId, ++revision)));
  await count('list of projects', 150, get('/projects'));
  await count('task update', 100, (i) => send(api.taskUpdate(worker, 1 + (i % 10), i)));
  await count('submission, 10 tasks', SUBMISSIONS, async (i) => {
    const submitted = await api.submit(headers, 10);
    // the last delivery is counted, too
    if (i === SUBMISSIONS - 1) await get(`/inputs?job_id=${submitted.jobId}`)();
  });
  await count('log of 1 MB', 10, (own) => post(api.logUpload(own, 1e6)), newWorker);
  await count('results of 1000 values', 10, (own) => post(api.resultsUpload(own, 1_000)), newWorker);
  await count('reading results of 1000 values', 40, get(`/results?job_id=${delivered}`));
  connection.close();
}
