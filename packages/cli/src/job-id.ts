import type { TallyClient } from '@tally/client';
import { EXIT, UserError } from './exit-codes.js';

/** The newest job of the user. */
export const LAST = '@last';

const COMPLETE = /^\d{8}-\d{6}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PAGE_SIZE = 100;
/** A beginning is looked for among so many of the newest jobs, in pages of a hundred. */
const PAGES_MAX = 20;
const SHOWN_MAX = 5;
const ARCHIVED_TOO = 'is:any';

interface Named {
  readonly job_id: string;
  readonly title: string;
}

/** Jobs of the user that a search finds, the newest first. */
export async function* newestJobs(client: TallyClient, pageSize = PAGE_SIZE, search?: string): AsyncGenerator<Named> {
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const query = {
      page_size: pageSize,
      page_idx: page,
      order_by: 'start_time' as const,
      order_type: 'descend' as const,
      ...(search === undefined ? {} : { search }),
    };
    const { simulations, page_count: pages } = await client.request('GET', '/user/simulations', { query });
    yield* simulations;
    if (page >= pages) return;
  }
}

/** Whether a text begins an id, or the random part of one, which is shorter to type. */
const begins = (id: string, text: string): boolean => id.startsWith(text) || id.slice(16).startsWith(text);

/**
 * The id that a user means: an id, the beginning of one or of its random part, or `@last`.
 * @throws UserError when no job, or more than one, begins so
 */
export async function resolveJobId(client: TallyClient, given: string): Promise<string> {
  if (COMPLETE.test(given)) return given;
  if (given === LAST) {
    for await (const { job_id: id } of newestJobs(client, 1)) return id;
    throw new UserError('you have no jobs', EXIT.notFound);
  }
  const found: Named[] = [];
  if (given !== '')
    for await (const job of newestJobs(client, PAGE_SIZE, ARCHIVED_TOO)) if (begins(job.job_id, given)) found.push(job);
  const [only, ...others] = found;
  if (only === undefined) throw new UserError(`no job of yours begins with "${given}"`, EXIT.notFound);
  if (others.length === 0) return only.job_id;
  const shown = found.slice(0, SHOWN_MAX).map(({ job_id: id, title }) => `  ${id}  ${title}`);
  const more = found.length > SHOWN_MAX ? [`  and ${found.length - SHOWN_MAX} more`] : [];
  throw new UserError([`"${given}" begins the ids of ${found.length} jobs:`, ...shown, ...more].join('\n'));
}

/** As {@link resolveJobId}, one after the other. */
export async function resolveJobIds(client: TallyClient, given: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const one of given) ids.push(await resolveJobId(client, one));
  return ids;
}
