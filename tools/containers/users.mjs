// What users do, by the gateway.
import fs from 'node:fs';
import path from 'node:path';
import { HttpSession, waitFor } from '../../packages/testkit/dist/src/index.js';
import { root } from '../k8s/service-facts.mjs';

const JOB_TIMEOUT_MS = 600_000;
const waiting = (what) => ({ timeoutMs: JOB_TIMEOUT_MS, intervalMs: 500, what });

/** Somebody with a session at the gateway of this URL, who calls and submits. */
export function createUser(url) {
  let session = new HttpSession(url);
  const project = JSON.parse(fs.readFileSync(path.join(root, 'examples/proton-150mev-water.json'), 'utf8'));
  const credentials = { username: '', password: 'correct horse battery' };
  const statusOf = (jobId, platform = 'direct') => session.call('GET', `/jobs/${platform}?job_id=${jobId}`);
  return {
    call: (...args) => session.call(...args),
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
      return (await session.call('POST', `/jobs/${platform}`, body)).job_id;
    },
    running: (jobId) => waitFor(async () => (await statusOf(jobId)).job_state === 'RUNNING', waiting('the job to run')),
    /** Until the job has ended well, with all its primaries. */
    async completed(jobId, primaries, platform) {
      const ended = async () => {
        const status = await statusOf(jobId, platform);
        return /COMPLETED|FAILED|CANCELED/.test(status.job_state) && status;
      };
      const status = await waitFor(ended, waiting('the end of the job'));
      if (status.job_state !== 'COMPLETED') throw new Error(`the job has failed: ${JSON.stringify(status)}`);
      const { primaries: found } = await session.call('GET', `/results?job_id=${jobId}`);
      if (found !== primaries) throw new Error(`${JSON.stringify(found)} primaries instead of ${primaries}`);
    },
  };
}
