import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpError, type Output } from '@tally/client';
import { HttpSession } from '@tally/testkit';
import { exampleProject } from './suite-fixture.js';

/** A job of the load, and how it ended. */
export interface LoadJob {
  readonly jobId: string;
  readonly wasCancelled: boolean;
  readonly state: string;
}

export interface LoadOptions {
  /** Gateways; requests take turns over them. */
  readonly gatewayUrls: readonly string[];
  readonly username: string;
  readonly primaries: number;
  /** Tasks of each job. */
  readonly ntasks: number;
  /** Every how-manieth job is cancelled as soon as it is taken. */
  readonly cancelEvery: number;
}

const TERMINAL = new Set(['COMPLETED', 'FAILED', 'CANCELED']);
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/**
 * A user who submits jobs, cancels some, lists them and waits for them, one after the other, and repeats what was answered
 * 503 or found nobody, as the interface asks clients to: with the same idempotency key, so that nothing happens twice.
 * Anything else is an error and is thrown.
 */
export class LoadClient {
  readonly jobs: LoadJob[] = [];
  /** Requests that had to be repeated. */
  repeatCount = 0;
  requestCount = 0;
  #submittedCount = 0;
  readonly #sessions: readonly HttpSession[];

  constructor(private readonly options: LoadOptions) {
    this.#sessions = options.gatewayUrls.map((url) => new HttpSession(url));
  }

  get submittedCount(): number {
    return this.#submittedCount;
  }

  /** Registers and logs in, at each gateway. Before the load: a registration that is repeated finds its name taken. */
  async enter(): Promise<void> {
    const body = { username: this.options.username, password: 'correct horse battery' };
    await this.#sessions[0]?.request('PUT', '/auth/register', { body });
    for (const session of this.#sessions) await session.request('POST', '/auth/login', { body });
  }

  /** Works until the signal; resolves when its last job has ended. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await this.#workOnce();
  }

  async #workOnce(): Promise<void> {
    const jobId = await this.#submit();
    const wasCancelled = this.#submittedCount % this.options.cancelEvery === 0;
    if (wasCancelled) await this.#cancel(jobId);
    const query = { job_id: jobId };
    let state = '';
    while (!TERMINAL.has(state)) {
      await sleep(PAUSE_MS);
      state = (await this.#ask('a state', (session) => session.request('GET', '/jobs/direct', { query }))).job_state;
    }
    this.jobs.push({ jobId, wasCancelled, state });
    await this.list();
  }

  async #submit(): Promise<string> {
    const { primaries, ntasks } = this.options;
    const body = {
      sim_type: 'simA' as const,
      input_type: 'editor' as const,
      ntasks,
      sim_data: exampleProject('proton-150mev-water', primaries),
    };
    const headers = { 'Idempotency-Key': randomUUID() };
    const submitted = await this.#ask('a submission', (session) =>
      session.request('POST', '/jobs/direct', { headers, body }),
    );
    this.#submittedCount += 1;
    return submitted.job_id;
  }

  #cancel(jobId: string) {
    return this.#ask('a cancellation', (session) =>
      session.request('DELETE', '/jobs/direct', { query: { job_id: jobId } }),
    );
  }

  /** Ids of all jobs that the service says the user has. */
  async list(): Promise<string[]> {
    const ids: string[] = [];
    for (let page_idx = 1; ; page_idx++) {
      const query = { page_size: 100, page_idx };
      const page = await this.#ask('a list', (session) => session.request('GET', '/user/simulations', { query }));
      ids.push(...page.simulations.map((job) => job.job_id));
      if (page_idx >= page.page_count) return ids;
    }
  }

  results(jobId: string): Promise<Output<'GET', '/results'>> {
    return this.#ask('results', (session) => session.request('GET', '/results', { query: { job_id: jobId } }));
  }

  async #ask<T>(what: string, ask: (session: HttpSession) => Promise<T>): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const session = this.#sessions[this.requestCount++ % this.#sessions.length];
      if (session === undefined) throw new Error('there is no gateway');
      try {
        return await ask(session);
      } catch (err) {
        if (!isToRepeat(err)) throw new Error(`${what} failed`, { cause: err });
        if (performance.now() > deadline) throw new Error(`${what} was repeated for ${PATIENCE_MS} ms`, { cause: err });
        this.repeatCount += 1;
        await sleep(PAUSE_MS);
      }
    }
  }
}

/** 503, or nobody there: what fetch throws for every fault of the connection, in whatever realm it was made. */
function isToRepeat(err: unknown): boolean {
  return err instanceof HttpError ? err.answer.status === 503 : String(err) === 'TypeError: fetch failed';
}
