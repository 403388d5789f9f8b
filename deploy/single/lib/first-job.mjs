// An account and a job, as a user has them: whether this server does its work from end to end.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { request } from './https.mjs';
import { RELEASE, readJson } from './layout.mjs';
import { Fault, say, waitFor } from './system.mjs';

const READY_TIMEOUT_MS = 120_000;
const JOB_TIMEOUT_MS = 600_000;
const ENDED = new Set(['COMPLETED', 'FAILED', 'CANCELED']);

/** Waits for a server that has just been started. */
function waitForServer(values) {
  let why;
  const ask = () =>
    request(values, 'GET', '/readyz').then(
      ({ status, body }) => {
        why = `https://${values.TALLY_HOST}/readyz: ${status} ${body.message ?? ''}`;
        return status === 200;
      },
      (err) => {
        why = err.message;
        return false;
      },
    );
  return waitFor(ask, { what: () => why, timeoutMs: READY_TIMEOUT_MS });
}

/** Makes an account of this name, and runs the example in it: protons of 150 MeV in water. */
export async function runFirstJob(values, username) {
  await waitForServer(values);
  const password = randomBytes(12).toString('base64url');
  const registered = await request(values, 'PUT', '/auth/register', { json: { username, password } });
  if (registered.status >= 300) throw new Fault(`no account ${username}: ${registered.body.message}`);
  say(`account ${username}, password ${password}`);
  const { cookies } = await request(values, 'POST', '/auth/login', { json: { username, password } });
  const example = readJson(path.join(RELEASE, 'example.json'));
  const project = { ...example, beam: { ...example.beam, numberOfParticles: 2000 } };
  const submission = { sim_type: 'simA', input_type: 'editor', ntasks: 2, sim_data: project };
  const submitted = await request(values, 'POST', '/jobs/direct', { json: submission, cookies });
  if (submitted.status >= 300) throw new Fault(`the job was refused: ${submitted.body.message}`);
  const { job_id: id } = submitted.body;
  say(`job ${id}`);
  const job = await waitFor(
    async () => {
      const { body } = await request(values, 'GET', `/jobs/direct?job_id=${id}`, { cookies });
      return ENDED.has(body.job_state) && body;
    },
    { what: `the job ${id} has not ended`, timeoutMs: JOB_TIMEOUT_MS },
  );
  if (job.job_state !== 'COMPLETED')
    throw new Fault(`the job has ended as ${job.job_state}: ${JSON.stringify(job).slice(0, 500)}`);
  const { body } = await request(values, 'GET', `/results?job_id=${id}`, { cookies });
  say(`completed with ${body.primaries} primaries; see it at https://${values.TALLY_HOST}/console/`);
}
