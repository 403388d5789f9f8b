import { isDeepStrictEqual } from 'node:util';
import { HttpError } from '@tally/client';
import { type HttpSession, waitFor } from '@tally/testkit';
import type { BatchStatus } from '../fixtures/batch-fixture.js';
import { exampleProject, flatten, type JobStatus, type Results, results } from '../fixtures/suite-fixture.js';
import { insist, RETRY_MS } from './insist.js';

/** Project, tasks and seed: what it gives is known from an undisturbed run. */
const VARIANTS = [
  { primaries: 1_500, ntasks: 3, seed: '11' },
  { primaries: 4_000, ntasks: 4, seed: '12' },
  { primaries: 8_000, ntasks: 2, seed: '13' },
] as const;

/** What becomes of a job by its number. */
export const isToBeCanceled = (number: number): boolean => number % 8 === 5;
const isToBeDeleted = (number: number): boolean => number % 4 === 3;

export interface JobRecord {
  readonly number: number;
  readonly jobId: string;
  readonly isDeleted: boolean;
  readonly state: string;
  readonly msToEnd: number;
}

export type Platform = 'direct' | 'batch';
/** Until a job has got somewhere. A scheduler that has lost its controller needs minutes until it gives its nodes free. */
const PATIENCE_MS: Readonly<Record<Platform, number>> = { direct: 180_000, batch: 600_000 };
type Status = Pick<JobStatus, 'job_state'>;
/** A cluster that is away in the first attempt fails the job, and its owner hears it. */
const REFUSED = 'BATCH_SUBMISSION_FAILED';
const CLUSTER_OPTIONS = { scheduler_options: { mem: '512M' } } as const;

/** Jobs of one user, and what is wrong with what came of them. */
export class JobLoad {
  readonly violations: string[] = [];
  readonly jobs: JobRecord[] = [];
  readonly #truth = new Map<number, Results>();

  constructor(
    private readonly user: HttpSession,
    private readonly options: {
      readonly login: () => Promise<void>;
      /** Hears every status of an open job that is looked at. */
      readonly onStatus?: (jobId: string, status: Status & Pick<BatchStatus, 'waiting_reason'>) => void;
    },
  ) {}

  /** Runs each variant once, before anything is disturbed. */
  async learnTruth(): Promise<void> {
    for (const variant of VARIANTS.keys()) {
      const jobId = await this.#submit(variant, `truth-${variant}`);
      const { job_state: state } = await this.#ended(jobId);
      if (state !== 'COMPLETED') throw new Error(`an undisturbed job is ${state}`);
      this.#truth.set(variant, await results(this.user, jobId));
    }
  }

  /** One job from its submission to its end, by a client that asks again. */
  async run(number: number, platform: Platform): Promise<void> {
    const variant = number % VARIANTS.length;
    const from = performance.now();
    const jobId = await this.#submit(variant, `job-${number}`, platform).catch((err: unknown) => {
      if (err instanceof HttpError && err.answer.body.code === REFUSED) return undefined; // its cluster was away
      throw err;
    });
    if (jobId === undefined) {
      this.jobs.push({ number, jobId: '', isDeleted: false, state: REFUSED, msToEnd: 0 });
      return;
    }
    if (isToBeCanceled(number)) {
      await this.#reached(jobId, ({ job_state: state }) => state !== 'PENDING', platform);
      await this.#insist(() => this.user.request('DELETE', `/jobs/${platform}`, { query: { job_id: jobId } }));
    }
    const status = await this.#ended(jobId, platform);
    const msToEnd = performance.now() - from;
    await this.#judge(number, jobId, platform, status);
    const isDeleted = isToBeDeleted(number);
    if (isDeleted) await this.#delete(jobId);
    this.jobs.push({ number, jobId, isDeleted, state: status.job_state, msToEnd });
  }

  async #judge(number: number, jobId: string, platform: Platform, { job_state: state }: Status): Promise<void> {
    const mayBeCanceled = isToBeCanceled(number);
    if (state !== 'COMPLETED' && !(state === 'CANCELED' && mayBeCanceled)) {
      this.violations.push(`${platform} job ${jobId} is ${state}`);
      return;
    }
    if (state === 'CANCELED') return;
    const truth = this.#truth.get(number % VARIANTS.length);
    const found = await this.#insist(() => results(this.user, jobId));
    const isEqual = truth !== undefined && isDeepStrictEqual(flatten(found), flatten(truth));
    if (!isEqual || found.primaries !== truth.primaries) {
      this.violations.push(`job ${jobId} gave other values than an undisturbed one`);
    }
  }

  async #submit(variant: number, key: string, platform: Platform = 'direct'): Promise<string> {
    const { primaries, ntasks, seed } = VARIANTS[variant] ?? VARIANTS[0];
    const sim_data = exampleProject('proton-150mev-water', primaries);
    const body = { sim_type: 'simA', input_type: 'editor', ntasks, seed, sim_data } as const;
    const headers = { 'Idempotency-Key': key };
    const answer = await this.#insist(() =>
      platform === 'batch'
        ? this.user.request('POST', '/jobs/batch', { body: { ...body, batch_options: CLUSTER_OPTIONS }, headers })
        : this.user.request('POST', '/jobs/direct', { body, headers }),
    );
    return answer.job_id;
  }

  /** That it is gone is what was asked for, also when the answer to an earlier try did not arrive. */
  async #delete(jobId: string): Promise<void> {
    await this.#insist(async () => {
      const path = `/user/simulations?job_id=${jobId}`;
      const answer = await this.user.send('DELETE', path);
      if (answer.status >= 300 && answer.status !== 404) throw new HttpError(`DELETE ${path}`, answer);
    });
  }

  #ended(jobId: string, platform: Platform = 'direct'): Promise<Status> {
    return this.#reached(
      jobId,
      ({ job_state: state }) => ['COMPLETED', 'FAILED', 'CANCELED'].includes(state),
      platform,
    );
  }

  async #reached(jobId: string, condition: (status: Status) => boolean, platform: Platform): Promise<Status> {
    return waitFor(
      async () => {
        const status = await this.#insist(() =>
          this.user.request('GET', `/jobs/${platform}`, { query: { job_id: jobId } }),
        );
        this.options.onStatus?.(jobId, status);
        return condition(status) ? status : undefined;
      },
      { timeoutMs: PATIENCE_MS[platform], intervalMs: RETRY_MS, what: `a state of job ${jobId}` },
    );
  }

  #insist<T>(ask: () => Promise<T>): Promise<T> {
    return insist(ask, { ...this.options, isFinal: ({ answer }) => answer.body.code === REFUSED });
  }

  /** Whether the whole way to the services answers. */
  async answers(): Promise<boolean> {
    try {
      const { status } = await this.user.send('GET', '/user/simulations');
      if (status === 401) await this.options.login(); // the session of a wrong clock
      return status === 200;
    } catch {
      return false;
    }
  }
}
