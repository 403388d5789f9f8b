// What users do, by the gateway.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpSession, waitFor } from '../../packages/testkit/dist/src/index.js';
import { root } from '../k8s/service-facts.mjs';

const JOB_TIMEOUT_MS = 600_000;
const ANSWER_TIMEOUT_MS = 20_000;
const waiting = (what) => ({ timeoutMs: JOB_TIMEOUT_MS, intervalMs: 500, what });

/** A gateway that is gone says nothing: users ask again. */
async function silence() {
  await sleep(ANSWER_TIMEOUT_MS, undefined, { ref: false });
  throw new Error('there is no answer');
}

/** Somebody with a session at the gateway of this URL, who calls and submits. */
export function createUser(url) {
  let session = new HttpSession(url);
  const project = JSON.parse(fs.readFileSync(path.join(root, 'examples/proton-150mev-water.json'), 'utf8'));
  const credentials = { username: '', password: 'correct horse battery' };
  /** As browsers do: the session renews an access token that has ended. */
  const call = async (...args) => {
    try {
      return await session.call(...args);
    } catch (err) {
      if (err.answer?.status !== 401) throw err;
      await session.call('GET', '/auth/refresh');
      return await session.call(...args);
    }
  };
  const get = (url) => Promise.race([call('GET', url), silence()]);
  const statusOf = (jobId, platform = 'direct') => get(`/jobs/${platform}?job_id=${jobId}`);
  const resultsOf = (jobId) => waitFor(() => get(`/results?job_id=${jobId}`), { intervalMs: 500, what: 'the results' });
  return {
    call,
    send: (...args) => session.send(...args),
    async register(username) {
      credentials.username = username;
      await session.call('PUT', '/auth/register', credentials);
      await session.call('POST', '/auth/login', credentials);
    },
    /** Goes on at another gateway of the same accounts. */
    async moveTo(otherUrl) {
      session = new HttpSession(otherUrl);
      await session.call('POST', '/auth/login', credentials);
    },
    /** Gives the job's id. */
    async submit(primaries, ntasks, platform = 'direct', options = {}) {
      const beam = { ...project.beam, numberOfParticles: primaries };
      const body = { sim_type: 'simA', input_type: 'editor', ntasks, sim_data: { ...project, beam }, ...options };
      return (await call('POST', `/jobs/${platform}`, body)).job_id;
    },
    /** Until the job runs, and so many of its tasks do. */
    async running(jobId, tasks = 1) {
      const runs = async () => {
        const { job_state: state, job_tasks_status: all } = await statusOf(jobId);
        return state === 'RUNNING' && all.filter((task) => task.task_state === 'RUNNING').length >= tasks;
      };
      await waitFor(runs, waiting('the job to run'));
    },
    /** Results as they are shown. */
    estimators: async (jobId) => (await resultsOf(jobId)).estimators,
    /** Until the job has ended well, with all its primaries. */
    async completed(jobId, primaries, platform) {
      const ended = async () => {
        const status = await statusOf(jobId, platform);
        return /COMPLETED|FAILED|CANCELED/.test(status.job_state) && status;
      };
      const status = await waitFor(ended, waiting('the end of the job'));
      if (status.job_state !== 'COMPLETED') throw new Error(`the job has failed: ${JSON.stringify(status)}`);
      const { primaries: found } = await resultsOf(jobId);
      if (found !== primaries) throw new Error(`${JSON.stringify(found)} primaries instead of ${primaries}`);
    },
  };
}
