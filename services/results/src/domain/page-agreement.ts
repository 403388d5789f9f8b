import { fail } from './errors.js';
import { describePage, type PageKey } from './page.js';

/** What must be the same for a page in every task of a job. */
export interface PageIdentity extends PageKey {
  readonly estimatorName: string;
  /** SHA-256 over everything in the page's header, hex. */
  readonly headerHash: string;
}

const keyOf = (page: PageKey) => `${page.estimatorIndex}/${page.pageNumber}`;

/**
 * Compares a task's pages with those of the job's other tasks: the same place and name mean the same page.
 * @returns the pages that no other task has
 * @throws ServiceError PAGE_MISMATCH
 */
export function agreePages<P extends PageIdentity>(known: readonly PageIdentity[], uploaded: readonly P[]): P[] {
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
  return uploaded.filter((page) => !byKey.has(keyOf(page)));
}
