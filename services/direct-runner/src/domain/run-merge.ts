import { createPageMerger, MergeError, requireSamePage } from '@tally/merge';
import { combineSignals, ServiceError } from '@tally/service-kit';
import { failureError, failureFacts, newFailure, toFailure } from './errors.js';
import type { MergeEnd, MergeOrder } from './merge.js';
import type { FinishedPage, MergePorts, StopSignals, StoredPage, StoredPages } from './ports.js';
import { isPermanent, isRefusal, retryTerms, retryToOutcome } from './retry.js';

/**
 * Carries out a claimed merge and reports its end: results merges; where it cannot yet, the task outputs are read, merged and
 * stored here, a page at a time. Safe to repeat: results are replaced, never added to.
 */
export async function runMerge(ports: MergePorts, order: MergeOrder, { handBack, quit }: StopSignals): Promise<void> {
  const { jobs, limits } = ports;
  const logger = ports.logger.child({ job_id: order.jobId, merge_id: order.mergeId });
  const own = { ...ports, logger };
  const lease = own.leases.keep(order, (timeoutMs) => jobs.reportMerge(order.mergeId, timeoutMs));
  try {
    logger.info({ task_count: order.taskIds.length, is_partial: order.isPartial }, 'merge started');
    const interrupt = combineSignals(lease.lost, handBack);
    const end = await merge(own, order, interrupt.signal).finally(interrupt.end);
    if (lease.lost.aborted) return logger.info({ cause: String(lease.lost.reason) }, 'merge dropped');
    const stop = combineSignals(lease.revoked, quit);
    const reported = await retryToOutcome(
      () => jobs.reportMergeEnd(order.mergeId, end, stop.signal),
      retryTerms(own, limits.deliveryTimeLimitMs, stop.signal, 'end of merge'),
    ).finally(stop.end);
    logger.info({ end: end.kind, ...(end.kind === 'failed' ? failureFacts(end) : {}), reported: reported.kind }, 'merge ended'); // biome-ignore format: one line
  } finally {
    lease.end();
  }
}

async function merge(ports: MergePorts, order: MergeOrder, signal: AbortSignal): Promise<MergeEnd> {
  const { limits, logger } = ports;
  const merged = await retryToOutcome(
    () => mergeOnce(ports, order, signal),
    retryTerms(ports, limits.mergeTimeLimitMs, signal, 'merge'),
    (err) => isPermanent(err) || toFailure(err).reason !== 'RUNNER_FAULT',
  );
  switch (merged.kind) {
    case 'done':
      return { kind: 'merged', relativeError: merged.value };
    case 'interrupted':
      return { kind: 'released' };
    case 'expired':
      logger.error({ err: merged.err }, 'merge gave up');
      return { kind: 'failed', ...newFailure('MERGE_INTERRUPTED') };
    case 'refused':
      logger.error({ err: merged.err }, 'merge failed');
      return { kind: 'failed', ...describeRefusal(merged.err) };
  }
}

function describeRefusal(err: unknown) {
  if (err instanceof ServiceError && err.reason === 'OUTPUTS_INCOMPLETE') {
    return newFailure('RESULTS_INCOMPLETE', err.message);
  }
  if (err instanceof MergeError) return newFailure('RESULTS_INCONSISTENT', err.message);
  const own = toFailure(err);
  return own.reason === 'RUNNER_FAULT' && isRefusal(err) ? newFailure('RESULTS_REFUSED', err.message) : own;
}

/** Returns the relative error that the order asks for. */
async function mergeOnce({ results }: MergePorts, order: MergeOrder, signal: AbortSignal): Promise<number | undefined> {
  const { jobId, taskIds, isPartial } = order;
  if (taskIds.length === 0) throw failureError('RESULTS_INCOMPLETE', 'no task has any');
  const { isMerged, relativeError } = await results.mergeOutputs(order, signal);
  if (isMerged) return relativeError;
  const stored = await results.listTaskPages(jobId, taskIds, signal);
  requireAll(taskIds, stored.taskIds);
  const { primaries, engine, warnings, pages } = stored;
  const facts = { primaries, taskCount: taskIds.length, isPartial, engine, warnings };
  const header = { jobId, ...facts, pageCount: pages.length };
  await results.putResults(header, mergePages({ results }, order, stored, signal), signal);
  return undefined;
}

async function* mergePages(
  { results }: Pick<MergePorts, 'results'>,
  { jobId, taskIds }: MergeOrder,
  { pages }: StoredPages,
  signal: AbortSignal,
): AsyncGenerator<FinishedPage> {
  for (const page of pages) yield await mergePage(results, jobId, page, taskIds, signal);
}

async function mergePage(
  results: MergePorts['results'],
  jobId: MergeOrder['jobId'],
  page: StoredPage,
  taskIds: readonly number[],
  signal: AbortSignal,
): Promise<FinishedPage> {
  const merger = createPageMerger(page);
  const seen: number[] = [];
  for await (const part of results.getTaskPages(jobId, page, taskIds, signal)) {
    requireSamePage(page, part.page);
    merger.add(part);
    seen.push(part.taskId);
  }
  requireAll(taskIds, seen, `page ${page.pageNumber} of "${page.estimatorName}"`);
  return { ...merger.finish(), estimatorIndex: page.estimatorIndex };
}

/** Every task that counts must be there once, in ascending order: sums in another order differ in their last digits. */
function requireAll(expected: readonly number[], actual: readonly number[], what = 'the stored outputs'): void {
  const isSame = expected.length === actual.length && expected.every((taskId, index) => taskId === actual[index]);
  if (isSame) return;
  const missing = expected.filter((taskId) => !actual.includes(taskId));
  throw failureError(
    'RESULTS_INCOMPLETE',
    `${what}: missing ${missing.length} of ${expected.length} tasks: ${missing.slice(0, 20).join(', ')}`,
  );
}
