import { HttpError } from '@tally/client';
import type { PageAnswer, PageRequest } from '../results/page-worker.js';
import { call, type Output } from './client.js';
import { shareLinkHeaders } from './share-link.js';

type SentPage = Output<'GET', '/results'>['estimators'][number]['pages'][number];
type SentComparison = Output<'GET', '/results/compare'>['estimators'][number]['pages'][number];

/** A page of results, its numbers in arrays of doubles; errors that are not known are NaN. */
export type ResultPage = Omit<SentPage, 'data'> & {
  readonly data: Omit<SentPage['data'], 'values' | 'errors' | 'effective_histories'> & {
    readonly values: Float64Array;
    readonly errors?: Float64Array;
    readonly effective_histories?: Float64Array;
  };
};

/** A page of results of a job. */
export interface PageRef {
  readonly jobId: string;
  readonly estimator: string;
  readonly page: number;
}

/** How a page of two jobs differs, without the numbers of each bin but γ, NaN where no bin was looked at. */
export type ComparedPage = Omit<SentComparison, 'difference' | 'ratio' | 'dimensions' | 'gamma_map'> & {
  readonly gamma_map?: { readonly max: number; readonly values: Float64Array };
};

/** Bins of some axes, by the position of these among all axes of the page: what is left is the plane or line through them. */
export interface PagePart {
  readonly axes: readonly number[];
  readonly bins: readonly number[];
  /** Axes along which bins are added up by the service, which knows the error of the sum. */
  readonly sums?: readonly number[];
}

/** When doses agree. */
export interface GammaCriteria {
  readonly dosePercent: number;
  readonly distanceMm: number;
  readonly cutoffPercent: number;
  /** Whether γ of each bin is wanted, too. */
  readonly isMapped: boolean;
}

/** When a page has come, for who measures how long its picture takes (`performance.getEntriesByName`). */
export const PAGE_READ_MARK = 'page read';

interface PageBody<Page> {
  readonly estimators: readonly { readonly name: string; readonly pages: readonly Page[] }[];
}

const waiting = new Map<number, (answer: PageAnswer) => void>();
let worker: Worker | undefined;
let lastId = 0;

function ask(path: string): Promise<PageAnswer> {
  worker ??= startWorker();
  const id = ++lastId;
  const request: PageRequest = { id, path, headers: shareLinkHeaders() };
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker?.postMessage(request, []);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL('../results/page-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<PageAnswer>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  });
  return started;
}

/** A page of a job, or a part of it, with the effective number of histories of its bins where that is wanted; undefined: not there yet. @throws HttpError, TypeError without a network */
export async function readPage(
  { jobId, estimator, page }: PageRef,
  part: PagePart | undefined,
  hasHistories: boolean,
): Promise<ResultPage | undefined> {
  const read = await firstPage<ResultPage>('/results', {
    job_id: jobId,
    estimator_name: estimator,
    page_number: String(page),
    ...(part === undefined || part.axes.length === 0 ? {} : { axis: part.axes.join(','), index: part.bins.join(',') }),
    ...(part?.sums === undefined ? {} : { sum: part.sums.join(',') }),
    ...(hasHistories ? { effective_histories: 'true' } : {}),
  });
  performance.mark(PAGE_READ_MARK);
  return read;
}

/** How the page of another job differs from this one, the other less this one. @throws as {@link readPage} */
export function readComparison(
  own: PageRef,
  otherJobId: string,
  gamma: GammaCriteria,
): Promise<ComparedPage | undefined> {
  return firstPage('/results/compare', {
    job_id: own.jobId,
    with: otherJobId,
    estimator_name: own.estimator,
    page_number: String(own.page),
    gamma_dose_percent: String(gamma.dosePercent),
    gamma_distance_mm: String(gamma.distanceMm),
    gamma_cutoff_percent: String(gamma.cutoffPercent),
    ...(gamma.isMapped ? { gamma_map: 'true' } : {}),
  });
}

/** The first page of an answer, parsed off the main thread. */
async function firstPage<Page>(endpoint: string, query: Record<string, string>): Promise<Page | undefined> {
  const path = `${endpoint}?${new URLSearchParams(query).toString()}`;
  let answer = await ask(path);
  if (answer.status === 401) {
    await call('GET', '/auth/status'); // renews the session, or says that it has ended
    answer = await ask(path);
  }
  const { status, body } = answer;
  if (status === 0) throw new TypeError('Failed to fetch');
  if (status !== 200) {
    throw new HttpError(`GET ${path}`, { status, headers: new Headers(), body: body as Record<string, unknown> });
  }
  return (body as PageBody<Page>).estimators[0]?.pages[0];
}
