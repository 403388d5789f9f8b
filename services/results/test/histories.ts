import { results } from '@tally/contracts';
import { pageHeader, taskOutputMessages, taskPage } from './results-suite.js';

/** What one history gives to the bins of a page, and to the denominators of another. */
export interface History {
  readonly shares: readonly number[];
  readonly weights: readonly number[];
}

/** What a task sends that keeps sums history by history: a linear page, and the ratio of it to other sums. */
export function messagesOfHistories(jobId: string, taskId: number, histories: readonly History[], sizes: number[]) {
  const total = (of: (history: History) => number) => histories.reduce((sum, history) => sum + of(history), 0);
  const a = ({ shares }: History, bin: number) => shares[bin] ?? 0;
  const d = ({ weights }: History, bin: number) => weights[bin] ?? 0;
  const products = [
    (history: History, bin: number) => a(history, bin),
    (history: History, bin: number) => d(history, bin),
    (history: History, bin: number) => a(history, bin) ** 2,
    (history: History, bin: number) => d(history, bin) ** 2,
    (history: History, bin: number) => a(history, bin) * d(history, bin),
  ];
  const sumOf = (product: number, bin: number) => total((history) => products[product]?.(history, bin) ?? 0);
  const ratio = pageHeader(sizes, { pageNumber: 2, kind: results.PageKind.PAGE_KIND_RATIO });
  const pages = [
    taskPage(pageHeader(sizes, { scale: 3 }), (array, bin) => sumOf(2 * array, bin)),
    taskPage(ratio, sumOf),
  ];
  return taskOutputMessages(jobId, taskId, pages, { primaries: BigInt(histories.length), batches: histories.length });
}
