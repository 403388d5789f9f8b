import type { NumberPage } from '../../domain/page/number-page.js';

/** Names of the groups that hold a page's arrays: those of the estimator and of the page within it. */
export interface PageNames {
  readonly estimator: string;
  readonly page: string;
}

/** Longest name of an estimator in a path, bytes: with a number behind it, no longer than file systems take (255). */
const NAME_BYTES_MAX = 240;

/**
 * Names of all pages. What a path cannot hold in the name of an estimator becomes `_`, and a long name is cut; where two become the
 * same, the second one is numbered.
 */
export function namePages(pages: readonly NumberPage[]): Map<NumberPage, PageNames> {
  const ofEstimator = new Map<string, string>();
  const used = new Set<string>();
  const names = new Map<NumberPage, PageNames>();
  for (const page of pages) {
    const estimator = ofEstimator.get(page.estimatorName) ?? uniqueName(pathPart(page.estimatorName), used);
    ofEstimator.set(page.estimatorName, estimator);
    names.set(page, { estimator, page: String(page.pageNumber) });
  }
  return names;
}

function pathPart(name: string): string {
  const safe = cutBytes(name.replace(/[/\\:*?"<>|]/g, '_').trim(), NAME_BYTES_MAX).trimEnd();
  return /^\.*$/.test(safe) ? `_${safe.slice(1)}` : safe;
}

/** The first characters of a text that fit. */
function cutBytes(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  return text.slice(0, read);
}

function uniqueName(name: string, used: Set<string>): string {
  let unique = name;
  for (let count = 2; used.has(unique); count += 1) unique = `${name} (${count})`;
  used.add(unique);
  return unique;
}
