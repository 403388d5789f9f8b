import { BYTES_PER_NUMBER } from '@tally/merge';
import { fail } from '../errors.js';
import { describePage, type EstimatorPageHeader, type PageKey } from './page.js';
import type { PageLimits } from './page-rules.js';
import { hashHeader, type OutputLayout, type PageSet } from './page-set.js';

/** What must be the same for a page in every task of a job. */
export interface PageIdentity extends PageKey {
  readonly estimatorName: string;
  /** SHA-256 over everything in the page's header, hex. */
  readonly headerHash: string;
}

/** What is stored of the pages of a job when a task's output comes in. */
export interface KnownPages {
  readonly pageSets: readonly PageSet[];
  readonly pages: readonly PageIdentity[];
  /** Outputs of the job's other tasks, those alike once. */
  readonly others: readonly { readonly setHash: string; readonly pageBytes: readonly number[] | undefined }[];
}

/** What is to be stored of the pages of a job, so that an output can refer to its page set. */
export interface PagesChange {
  readonly isNewSet: boolean;
  readonly newPages: readonly (EstimatorPageHeader & { readonly headerHash: string })[];
  /** Nobody has them any more. */
  readonly staleSets: readonly string[];
  readonly stalePages: readonly PageKey[];
}

const keyOf = (page: PageKey) => `${page.estimatorIndex}/${page.pageNumber}`;

/**
 * A task's pages must be the same pages as those of the job's other tasks: the same place and name mean the same page. What
 * only a replaced output said of a page binds nobody.
 * @throws ServiceError PAGE_MISMATCH; UPLOAD_TOO_LARGE when a list, of all tasks together, is longer than a page may be
 */
export function decidePages(
  known: KnownPages,
  headers: readonly EstimatorPageHeader[],
  { pageSet, pageBytes }: OutputLayout,
  limits: Pick<PageLimits, 'pageBinsMax'>,
): PagesChange {
  const used = new Set([...known.others.map(({ setHash }) => setHash), pageSet.hash]);
  const [kept, stale] = [
    known.pageSets.filter(({ hash }) => used.has(hash)),
    known.pageSets.filter(({ hash }) => !used.has(hash)),
  ];
  const othersSets = kept.filter(({ hash }) => known.others.some(({ setHash }) => setHash === hash));
  const bound = new Set(othersSets.flatMap(({ pages }) => pages.map(keyOf)));
  const uploaded = headers.map((header) => ({ ...header, headerHash: hashHeader(header) }));
  agreePages(
    known.pages.filter((page) => bound.has(keyOf(page))),
    uploaded,
  );
  checkLists(known, headers, pageBytes ?? [], limits);
  const isStale = (page: PageKey) => !bound.has(keyOf(page));
  return {
    isNewSet: !kept.some(({ hash }) => hash === pageSet.hash),
    // one that nobody else has may have been another page under the same key
    newPages: uploaded.filter(isStale),
    staleSets: stale.map(({ hash }) => hash),
    stalePages: known.pages.filter(isStale),
  };
}

/** Compares pages. @throws ServiceError PAGE_MISMATCH */
function agreePages(known: readonly PageIdentity[], uploaded: readonly PageIdentity[]): void {
  const byKey = new Map(known.map((page) => [keyOf(page), page]));
  const nameOfIndex = new Map(known.map((page) => [page.estimatorIndex, page.estimatorName]));
  const indexOfName = new Map(known.map((page) => [page.estimatorName, page.estimatorIndex]));
  for (const page of uploaded) {
    const isSame =
      (nameOfIndex.get(page.estimatorIndex) ?? page.estimatorName) === page.estimatorName &&
      (indexOfName.get(page.estimatorName) ?? page.estimatorIndex) === page.estimatorIndex &&
      (byKey.get(keyOf(page))?.headerHash ?? page.headerHash) === page.headerHash;
    if (!isSame) {
      throw fail('PAGE_MISMATCH', { message: `${describePage(page)} differs from what other tasks of the job stored` });
    }
  }
}

function checkLists(
  { pageSets, others }: KnownPages,
  headers: readonly EstimatorPageHeader[],
  pageBytes: readonly number[],
  { pageBinsMax }: Pick<PageLimits, 'pageBinsMax'>,
): void {
  for (const [index, page] of headers.entries()) {
    if (page.kind !== 'list') continue;
    let bytes = pageBytes[index] ?? 0;
    for (const other of others) {
      const pages = pageSets.find(({ hash }) => hash === other.setHash)?.pages ?? [];
      bytes += other.pageBytes?.[pages.findIndex((candidate) => keyOf(candidate) === keyOf(page))] ?? 0;
    }
    if (bytes > pageBinsMax * BYTES_PER_NUMBER) {
      const message = `The upload is too large: ${describePage(page)} of all tasks has more than ${pageBinsMax} bins`;
      throw fail('UPLOAD_TOO_LARGE', { message });
    }
  }
}
