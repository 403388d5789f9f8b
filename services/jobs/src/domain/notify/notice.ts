import { createHash } from 'node:crypto';
import type { State } from '../job-state.js';
import type { Sweep } from './sweep.js';
import type { ToldJob } from './told-job.js';

/** What somebody is told. */
export interface Notice {
  /** The same for a repeat, and for nothing else. */
  readonly id: string;
  /** What has ended, for programs. */
  readonly about:
    | { readonly type: 'job.ended' | 'retention.warning' }
    | { readonly type: 'sweep.ended'; readonly sweep: Sweep };
  /** One line. */
  readonly subject: string;
  /** Plain text. */
  readonly paragraphs: readonly string[];
  /** Path of the console. */
  readonly linkPath: string;
  readonly linkWords: string;
  readonly figure?: { readonly picture: Uint8Array; readonly words: string };
}

/** An id made of facts: 32 hexadecimal digits. */
export const hashNoticeId = (...facts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);

/** States as people say them. */
const STATE_WORDS: Partial<Readonly<Record<State, string>>> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELED: 'was cancelled',
};
const wordsOf = (state: State): string => STATE_WORDS[state] ?? `is ${state}`;

/** `1 234 567`, with narrow no-break spaces. */
const grouped = (count: bigint): string => `${count}`.replaceAll(/\B(?=(?:\d{3})+$)/g, '\u202f');

/** `2 h 5 min`, `12 s`. */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** A mail shows so many jobs of a sweep that failed. */
const FAILURES_MAX = 5;
/** Of a title in a subject, characters: mail programs cut longer lines. */
const SUBJECT_TITLE_MAX = 80;
const shortTitle = (title: string) => {
  const characters = Array.from(title);
  return characters.length > SUBJECT_TITLE_MAX ? `${characters.slice(0, SUBJECT_TITLE_MAX - 1).join('')}…` : title;
};

function resultWords({ simulatedPrimaries, startTime, endTime }: ToldJob): string[] {
  const took =
    endTime === null ? '' : `, ${durationWords(endTime.getTime() - startTime.getTime())} after its submission`;
  return simulatedPrimaries === null ? [] : [`Its results are of ${grouped(simulatedPrimaries)} primaries${took}.`];
}

/** That a job has ended. */
export function jobNotice(job: ToldJob, id: string): Notice {
  const { jobId, title, state, failure } = job;
  return {
    id,
    about: { type: 'job.ended' },
    subject: `${shortTitle(title)} ${wordsOf(state)}`,
    paragraphs: [`The job “${title}” ${wordsOf(state)}.`, ...(failure === null ? [] : [failure]), ...resultWords(job)],
    linkPath: `/console/jobs/${encodeURIComponent(jobId)}${job.simulatedPrimaries === null ? '' : '/results'}`,
    linkWords: job.simulatedPrimaries === null ? 'Look at the job' : 'Look at the results',
  };
}

/** What the jobs of a sweep have in common in their titles, and in what each differs. */
export interface SweepTitles {
  readonly title: string;
  /** In the order of the jobs: `energy = 110 MeV`. */
  readonly labels: readonly string[];
  /** Page of the console. */
  readonly path: string;
}

/** Clients write the parameters of a sweep behind its title: `Water tank [energy = 110 MeV, beam.spread=1]`. */
const SWEPT = /^(.+) \[([^[\]]+)\]$/;

/** Titles that no client of ours has written differ in what they do not begin with alike. */
export function readSweepTitles(titles: readonly string[]): SweepTitles {
  const swept = titles.map((title) => SWEPT.exec(title));
  const [title = '', inside = ''] = swept[0]?.slice(1) ?? [];
  if (title !== '' && swept.every((one) => one?.[1] === title)) {
    const names = inside.split(', ').map((part) => part.split(/ ?= ?/)[0] ?? '');
    const query = new URLSearchParams({ title, over: names.join(',') }).toString();
    return { title, labels: swept.map((one) => one?.[2] ?? ''), path: `/console/sweeps/show?${query}` };
  }
  const [first = ''] = titles;
  const length = Math.min(...titles.map((one) => sameLength(first, one)));
  const common = first.slice(0, length).replace(/[^\p{L}\p{N})\]]+$/u, '');
  const labels = titles.map((one) => one.slice(length).trim() || one);
  return { title: common === '' ? first : common, labels, path: '/console/sweeps' };
}

function sameLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** That a sweep has ended. @param jobs - at least one */
export function sweepNotice(jobs: readonly ToldJob[], sweep: Sweep, id: string): Notice {
  const { size } = sweep;
  const { title, path: linkPath } = readSweepTitles(jobs.map((job) => job.title));
  const count = (state: State) => jobs.filter((job) => job.state === state).length;
  const parts = (['COMPLETED', 'FAILED', 'CANCELED'] as const)
    .map((state) => [count(state), wordsOf(state)] as const)
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words.replace('was ', '')}`);
  const failures = jobs.filter(({ failure }) => failure !== null);
  const primaries = jobs.reduce((sum, { simulatedPrimaries }) => sum + (simulatedPrimaries ?? 0n), 0n);
  const missing = size - jobs.length;
  return {
    id,
    about: { type: 'sweep.ended', sweep },
    subject: `Sweep ${shortTitle(title)}: ${parts.join(', ')}`,
    paragraphs: [
      `The ${jobs.length} jobs of the sweep “${title}” have ended: ${parts.join(', ')}.`,
      ...(missing > 0 ? [`${missing} of its ${size} jobs were not submitted.`] : []),
      ...failures.slice(0, FAILURES_MAX).map((job) => `${job.title}: ${job.failure ?? ''}`),
      ...(failures.length > FAILURES_MAX ? [`… and ${failures.length - FAILURES_MAX} more.`] : []),
      ...(primaries > 0n ? [`Their results are of ${grouped(primaries)} primaries in all.`] : []),
    ],
    linkPath,
    linkWords: 'Look at the sweep',
  };
}

/** Jobs of a sweep that a webhook is told of one by one. */
const JOBS_TOLD_MAX = 1_000;

/** What a webhook is sent: `type`, `timestamp` and `data` (Standard Webhooks 1.0, "Payload structure"). The same for a repeat. */
export function bodyOf({ about }: Pick<Notice, 'about'>, jobs: readonly ToldJob[]): string {
  const timestamp = new Date(Math.max(0, ...jobs.map(({ closedAt }) => closedAt?.getTime() ?? 0))).toISOString();
  const told = jobs.slice(0, JOBS_TOLD_MAX).map((job) => ({
    job_id: job.jobId,
    title: job.title,
    job_state: job.state,
    start_time: job.startTime.toISOString(),
    end_time: job.endTime?.toISOString() ?? null,
    ...(job.failure === null ? {} : { failure: job.failure }),
    ...(job.simulatedPrimaries === null ? {} : { simulated_primaries: Number(job.simulatedPrimaries) }),
  }));
  const data =
    about.type !== 'sweep.ended' ? told[0] : { sweep: { id: about.sweep.sweepId, size: about.sweep.size }, jobs: told };
  return JSON.stringify({ type: about.type, timestamp, data });
}
