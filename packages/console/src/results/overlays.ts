import type { PageRef } from '../api/queries.js';

const escape = (text: string): string => encodeURIComponent(text).replaceAll('~', '%7E');

/** `job~estimator~page`, in characters that are the same in an address. */
export const writeRef = ({ jobId, estimator, page }: PageRef): string =>
  [jobId, estimator, String(page)].map(escape).join('~');

/** Pages that an address names, comma-separated; what one does not say is as in `own`, which is itself left out. */
export function readRefs(text: string | undefined, own: PageRef): PageRef[] {
  const named = (text ?? '').split(',').filter((item) => item !== '');
  const refs = named.map((item) => {
    const [jobId = '', estimator = '', page = ''] = item.split('~').map(unescape);
    return {
      jobId: jobId === '' ? own.jobId : jobId,
      estimator: estimator === '' ? own.estimator : estimator,
      page: /^\d+$/.test(page) ? Number(page) : own.page,
    };
  });
  const byName = new Map(refs.map((ref) => [writeRef(ref), ref]));
  byName.delete(writeRef(own));
  return [...byName.values()];
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an address that somebody has cut
  }
}

/** How many axes of a page have more than one bin. */
export const dimensionsOf = (sizes: readonly number[]): number => sizes.filter((size) => size > 1).length;
