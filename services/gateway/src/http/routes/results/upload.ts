import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { estimatedOutputMessages, estimatedResultsMessages, type jobs, putTaskOutputMessages } from '@tally/contracts';
import type { z } from 'zod';
import { toCredential, WORKER_RESPONSES, workerAnswer } from '../../answer/worker-answer.js';
import { parseMember } from '../../request/body.js';
import type { TakenNumbers } from '../../request/number-runs.js';
import { validate } from '../../request/validate.js';
import { defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import { noEstimators, resultsUpload, uploadHeaders, workerResponse } from '../../schemas/worker.js';
import { lateUploadNote, type UploadContent } from '../../upload/late-upload.js';
import { requireFewPages } from '../../upload/read-estimators.js';
import { readTaskOutput } from '../../upload/task-output-upload.js';

type Body = z.output<typeof resultsUpload>;
/** Engine of uploaded results that name none. */
const ENGINE = 'external worker';
const NO_ESTIMATORS = Buffer.from('[]');
/** An empty list is not longer, blanks included, bytes. */
const NO_ESTIMATORS_BYTES_MAX = 1_000;

/** POST /results: a worker delivers the job's final results, or one task's output. */
export const uploadResults = defineRoute({
  method: 'POST',
  path: '/results',
  auth: 'update_key',
  summary: 'Worker: upload results',
  description:
    'Without `task_id`: the final results, stored whole or not at all; then the job is COMPLETED, or FAILED with ' +
    'partial results when some of its tasks failed. A task that a worker called FAILED without saying why did not fail ' +
    'after all, unless histories are missing by `primaries`. With `task_id` and `primaries`: the output of one ' +
    'task, values per primary, which the service merges with those of the others; send it before the task is COMPLETED. ' +
    'A tool of the service sends it as `task_output`. What comes too late is dropped, with a line in the log `submission`.',
  requestClass: 'submission',
  headers: uploadHeaders,
  body: resultsUpload,
  rawMembers: ['estimators'],
  rawTexts: ['task_output'],
  takesNumbers: true,
  responses: {
    202: { description: 'Stored, or ignored', schema: workerResponse },
    ...WORKER_RESPONSES,
    404: { description: 'The job has no such task' },
  },
  handle: async ({ body, raw, numbers, call }, services) => {
    const credential = toCredential(body.simulation_id, body.update_key);
    const estimators = raw.get('estimators') ?? NO_ESTIMATORS;
    const { sizeBytes } = numbers;
    const upload = { body, estimators, numbers, sizeBytes, taskOutput: raw.get('task_output') };
    const isFinal = !body.task_id;
    const output = {
      credential,
      taskId: body.task_id ?? 0,
      contentHash: isFinal ? await hashOf(upload) : '',
      primaries: isFinal ? toBigint(body.primaries) : undefined,
    };
    /*
     * Of a large body the key was looked up before (handle-request.ts), or strangers could fill the memory. That answer cannot serve
     * here: the job may have ended while the body came, and only jobs knows, so a store that believed it would let late results
     * replace those of an ended job. A number that results compares does not help either, because results cannot tell an upload that
     * ended the job from one whose report was lost and which its worker may replace.
     */
    const target = await services.jobs.getWorkerTarget({ ...output, celeryId: body.celery_id ?? '' }, call);
    // only now: parsing megabytes for a caller without a key would block other requests
    const content = await readContent(upload, services);
    if (!target.isWanted) {
      if (!target.isRepeat) await noteDropped(target.jobId, upload, content, services, call);
      return workerAnswer('Results stored', target.isRepeat);
    }
    await store(body, content, target, services, call);
    const { isApplied } = await services.jobs.reportWorkerOutput(output, call);
    return workerAnswer('Results stored', isApplied);
  },
});

/** A request as it was sent: what is large as text. */
interface Upload {
  readonly body: Body;
  readonly estimators: Buffer;
  /** Of the estimators; their size, bytes. */
  readonly numbers: TakenNumbers;
  readonly sizeBytes: number;
  readonly taskOutput: Buffer | undefined;
}

const toBigint = (count: number | null | undefined) =>
  count === null || count === undefined ? undefined : BigInt(count);

/** @throws ServiceError REQUEST_INVALID, BODY_MALFORMED, BODY_TOO_LARGE */
async function readContent(
  { body, estimators, numbers, taskOutput }: Upload,
  { uploads, limits: { result_pages_max: pagesMax } }: RouteServices,
): Promise<UploadContent> {
  if (taskOutput === undefined) return uploads.estimators(estimators, pagesMax, numbers);
  const isShort = estimators.length <= NO_ESTIMATORS_BYTES_MAX;
  validate(noEstimators, { estimators: isShort ? parseMember(estimators) : [undefined] });
  const file = readTaskOutput(await uploads.text(taskOutput), body.primaries ?? 0);
  requireFewPages(file.index.pages.length, pagesMax);
  return file;
}

async function noteDropped(
  jobId: string,
  upload: Upload,
  content: UploadContent,
  { results }: RouteServices,
  call: RouteRequest['call'],
): Promise<void> {
  const { body, estimators, taskOutput } = upload;
  const sizeBytes = taskOutput === undefined ? estimators.length + upload.sizeBytes : taskOutput.length;
  const dropped = { hash: await hashOf(upload), taskId: body.task_id ?? undefined, content, sizeBytes };
  await results.appendLogs(lateUploadNote(jobId, dropped, new Date()), call);
}

async function store(
  body: Body,
  content: UploadContent,
  { jobId, primaries, taskCount, isPartial }: jobs.GetWorkerTargetResponse,
  { results }: RouteServices,
  call: RouteRequest['call'],
): Promise<void> {
  const engine = body.engine ?? ENGINE;
  if (!body.task_id) {
    if ('index' in content) throw new Error('a task output is always of a task');
    const header = { jobId, primaries, taskCount, isPartial, engine };
    await results.putResults(stream(estimatedResultsMessages(header, content)), call);
    return;
  }
  const task = { jobId, taskId: body.task_id, attemptId: body.celery_id || ENGINE };
  if ('index' in content) {
    await results.putTaskOutput(putTaskOutputMessages(task, content), call);
    return;
  }
  const header = { ...task, primaries: BigInt(body.primaries ?? 0), engine };
  await results.putTaskOutput(stream(estimatedOutputMessages(header, content)), call);
}

/** Made as it is sent: the numbers of a page at a time. */
async function* stream<T>(messages: Iterable<T>): AsyncGenerator<T> {
  yield* messages;
}

/** Hashed at once at most, bytes: a few milliseconds. */
const HASH_STEP_BYTES = 1_000_000;

/** Identifies a repeated upload, hex. Others are served meanwhile. */
async function hashOf({ body, estimators, numbers, taskOutput }: Upload): Promise<string> {
  const hash = createHash('sha256');
  const facts: unknown[] = [estimators, body.primaries, body.engine];
  if (body.task_id) facts.push(taskOutput, body.task_id);
  if (!numbers.isEmpty) facts.push(numbers.hash);
  for (const fact of facts) {
    const bytes = Buffer.isBuffer(fact)
      ? fact
      : Buffer.from(typeof fact === 'string' ? fact : JSON.stringify(fact ?? null));
    for (let from = 0; from < bytes.length; from += HASH_STEP_BYTES) {
      if (from > 0) await setImmediate();
      hash.update(bytes.subarray(from, from + HASH_STEP_BYTES));
    }
    hash.update('\0');
  }
  return hash.digest('hex');
}
