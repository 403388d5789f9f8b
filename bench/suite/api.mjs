// What users and workers ask of the suite, as the loads send it.
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeRequest, sendOnce } from '../load/connection.mjs';

const PASSWORD = 'bench-password';
const ENDED = new Set(['COMPLETED', 'FAILED', 'CANCELED']);
const PATIENCE_MS = 600_000;

export class Api {
  /**
   * @param updateKeyMaster - what the suite derives update keys from
   * @param project - of every job
   */
  constructor(baseUrl, updateKeyMaster, project) {
    Object.assign(this, { baseUrl, updateKeyMaster, project });
  }

  async #send(request) {
    const answer = await sendOnce(this.baseUrl, request);
    if (answer.status >= 300)
      throw new Error(`${request.method} ${request.path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer;
  }

  register(username) {
    return this.#send({ method: 'PUT', path: '/auth/register', body: { username, password: PASSWORD } });
  }

  loginRequest(username) {
    return { method: 'POST', path: '/auth/login', body: { username, password: PASSWORD } };
  }

  /** Headers of a new session. Access tokens live for minutes: every load takes a new one. */
  async login(username = 'bench') {
    const { cookies } = await this.#send(this.loginRequest(username));
    return { Cookie: cookies.join('; ') };
  }

  submission(headers, ntasks) {
    const body = { sim_type: 'simA', input_type: 'editor', ntasks, sim_data: this.project };
    return { method: 'POST', path: '/jobs/direct', headers, body };
  }

  /** Submits a job; resolves to `{jobId, ms}`. */
  async submit(headers, ntasks) {
    const { json, ms } = await this.#send(this.submission(headers, ntasks));
    return { jobId: json.job_id, ms };
  }

  /** Keeps the project of every job; resolves to its id. */
  async keepProject(headers) {
    const { json } = await this.#send({ method: 'POST', path: '/projects', headers, body: { project: this.project } });
    return json.project_id;
  }

  /** A save of a kept project that makes a revision of it. */
  projectSave(headers, projectId, revision) {
    const project = { ...this.project, note: revision };
    return { method: 'PUT', path: '/projects', headers, body: { project_id: projectId, revision, project } };
  }

  /** State of a job and of its tasks. */
  async status(headers, jobId) {
    const { json } = await this.#send({ method: 'GET', path: `/jobs/direct?job_id=${jobId}`, headers });
    return { state: json.job_state, tasks: json.job_tasks_status.map((task) => task.task_state) };
  }

  /** Asks until the job satisfies the condition; it must not fail meanwhile. */
  async reached(headers, jobId, condition, pauseMs) {
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline) {
      const status = await this.status(headers, jobId);
      if (condition(status)) return;
      if (ENDED.has(status.state)) throw new Error(`job ${jobId} is ${status.state}`);
      await sleep(pauseMs);
    }
    throw new Error(`job ${jobId} has not come to its end in ${PATIENCE_MS} ms`);
  }

  cancel(headers, jobId) {
    return this.#send({ method: 'DELETE', path: `/jobs/direct?job_id=${jobId}`, headers });
  }

  /** What a worker of a job shows. */
  worker(jobId) {
    const key = createHmac('sha256', this.updateKeyMaster).update(`update_key:${jobId}`).digest('hex');
    return { simulation_id: jobId, update_key: key };
  }

  /** The bytes of progress of a task as a worker reports it. */
  taskUpdate(worker, taskId, simulatedPrimaries) {
    const update = {
      task_state: 'RUNNING',
      simulated_primaries: simulatedPrimaries,
      estimated_time: 3_600 - (simulatedPrimaries % 3_600),
    };
    const body = { ...worker, task_id: taskId, update_dict: update };
    return encodeRequest(this.baseUrl, { method: 'POST', path: '/tasks', body });
  }

  /** A log of a worker, `bytes` long. */
  logUpload(worker, bytes) {
    const line = 'Primary particle no. 1234 ETR: 0 hour(s) 3 minute(s) 21 second(s) value 3.14159e-05 ';
    const lines = Array.from({ length: Math.ceil(bytes / line.length) }, (_, i) => `${line}${i * 7_919}\n`);
    return {
      method: 'POST',
      path: '/logfiles',
      body: { ...worker, logfiles: { task_1: lines.join('').slice(0, bytes) } },
    };
  }

  /** Final results of a worker with one page of `count` numbers, most of which its axis does not account for. */
  resultsUpload(worker, count) {
    const page = {
      axis_dim1: { name: 'Position (Z)', unit: 'cm', values: [0.5] },
      data: { name: 'Dose', unit: 'MeV/g/prim', values: makeNumbers(count) },
      dimensions: 1,
      metadata: { page_number: '0', name: 'Dose', unit: 'MeV/g' },
    };
    const metadata = { file_counter: '1', number_of_primaries: '1000' };
    const estimators = [{ name: 'est1_', metadata, pages: [page] }];
    return { method: 'POST', path: '/results', body: Buffer.from(JSON.stringify({ ...worker, estimators })) };
  }
}

/** Numbers between 0 and 0.001 of about 17 digits, always the same ones. */
function makeNumbers(count) {
  const RANGE = 2 ** 32;
  return Array.from({ length: count }, (_, i) => (((i * 2_654_435_761) % RANGE) / RANGE) * 1e-3 + 1e-9 * (i % 97));
}
