// The program of HonestUsers (honest-users.ts): users who watch their jobs as the console does, in a process of their own, so that no work of
// the test itself is measured. Argument, as JSON: { gatewayUrl, count, project }. Says 'ready' when all have a job that has ended; takes the
// name of the phase that begins, and 'end': then it deletes all jobs and sends the requests as [phase, route, status, ms, detail].
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { TallyClient } from '@tally/client';

const ROUND_MS = 1_000;
const RESULTS_EVERY = 5;
const SUBMISSION_EVERY = 120;
const DELETIONS_MAX = 600;
const DELETION_PAUSE_MS = 100;
const FINAL = ['COMPLETED', 'FAILED', 'CANCELED'];
const { gatewayUrl, count, project } = JSON.parse(process.argv[2]);

let phase;
const over = new AbortController();
const asked = [];

class User {
  client = new TallyClient(gatewayUrl);
  #credentials;
  #jobId;
  #endedJobId;

  constructor(at) {
    this.at = at;
    this.#credentials = { username: `honest-${at}`, password: 'correct horse battery' };
  }

  /** Has an account, and a job that has ended. */
  async enter() {
    await this.client.request('PUT', '/auth/register', { body: this.#credentials });
    await this.client.request('POST', '/auth/login', { body: this.#credentials });
    await this.#submit();
    this.#endedJobId = this.#jobId;
    const query = { job_id: this.#jobId };
    while (!FINAL.includes((await this.client.request('GET', '/jobs/direct', { query })).job_state))
      await sleep(ROUND_MS);
  }

  /** Users come one after the other within a round. */
  async poll() {
    await sleep((this.at / count) * ROUND_MS);
    for (let round = (this.at * SUBMISSION_EVERY) / count; !over.signal.aborted; round++) {
      const nextMs = performance.now() + ROUND_MS;
      await this.#ask('GET', '/auth/status');
      await this.#ask('GET', '/jobs/direct', `?job_id=${this.#jobId}`);
      await this.#ask('GET', '/user/simulations', '?page_size=100&page_idx=1');
      if (round % RESULTS_EVERY === 0) await this.#ask('GET', '/results', `?job_id=${this.#endedJobId}`);
      if (round % SUBMISSION_EVERY === 0) await this.#submit();
      await sleep(Math.max(0, nextMs - performance.now()));
    }
  }

  /** Asked for like everything else; refused while a task still runs. */
  async deleteAll() {
    for (let tries = 0; tries < DELETIONS_MAX; tries++) {
      const { body } = await this.#ask('GET', '/user/simulations', '?page_size=100&page_idx=1');
      if (body.simulations?.length === 0) return;
      for (const { job_id, job_state } of body.simulations ?? []) {
        if (!FINAL.includes(job_state)) await this.#ask('DELETE', '/jobs/direct', `?job_id=${job_id}`);
        await this.#ask('DELETE', '/user/simulations', `?job_id=${job_id}`);
      }
      await sleep(DELETION_PAUSE_MS);
    }
  }

  async #submit() {
    const body = { sim_type: 'simA', input_type: 'editor', ntasks: 1, sim_data: project };
    const answer = await this.#ask('POST', '/jobs/direct', '', body);
    if (answer.status === 202) this.#jobId = answer.body.job_id;
  }

  /** As the console: a session that is over is renewed, and the question asked again. */
  async #ask(method, path, query = '', body) {
    const answer = await this.#askOnce(method, path, query, body);
    if (answer.status !== 401) return answer;
    await this.#askOnce('GET', '/auth/refresh', '');
    return this.#askOnce(method, path, query, body);
  }

  async #askOnce(method, path, query, body) {
    const during = phase;
    const fromMs = performance.now();
    const answer = await this.client
      .send(method, path + query, { body })
      .catch((err) => ({ status: 0, body: { message: `${err}: ${err.cause}` } }));
    const ms = performance.now() - fromMs;
    const detail = answer.status === 0 || answer.status >= 400 ? JSON.stringify(answer.body).slice(0, 300) : '';
    if (during !== undefined) asked.push([during, `${method} ${path}`, answer.status, ms, detail]);
    return answer;
  }
}

const users = Array.from({ length: count }, (_, at) => new User(at));
for (const user of users) await user.enter();
const beginning = new Promise((resolve) => {
  process.on('message', (next) => {
    if (next === 'end') over.abort();
    else phase = next;
    resolve();
  });
});
process.send('ready');
await beginning;
await Promise.all(users.map((user) => user.poll()));
await Promise.all(users.map((user) => user.deleteAll()));
process.send(asked, () => process.disconnect());
