import { createHash } from 'node:crypto';
import { type jobs, putTaskOutputMessages, type TaskOutputFile } from '@tally/contracts';
import type { z } from 'zod';
import { parseMember } from '../../body.js';
import { resultsMessages, taskOutputMessages } from '../../results-upload.js';
import { defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import {
  noEstimators,
  resultsUpload,
  type UploadedEstimator,
  uploadedEstimators,
  workerResponse,
} from '../../schemas/worker.js';
import { readTaskOutput } from '../../task-output-upload.js';
import { validate } from '../../validate.js';
import { toCredential, WORKER_RESPONSES, workerAnswer } from '../../worker-answer.js';

type Upload = z.output<typeof resultsUpload>;
/** Who computed what a worker uploads, unless it says so itself. */
const ENGINE = 'external worker';

/** POST /results: a worker delivers the job's final results, or one task's output. */
export const uploadResults = defineRoute({
  method: 'POST',
  path: '/results',
  auth: 'update_key',
  summary: 'Worker: upload results',
  description:
    'Without `task_id`: the final results, stored whole or not at all; then the job is COMPLETED, or FAILED with ' +
    'partial results when some of its tasks failed. With `task_id` and `primaries`: the output of one task, values per ' +
    'primary, which the service merges with those of the others; send it before the task is COMPLETED. A tool of the ' +
    'service sends it as `task_output`.',
  requestClass: 'submission',
  body: resultsUpload,
  unread: ['estimators'],
  unreadTexts: ['task_output'],
  responses: {
    202: { description: 'Stored, or ignored', schema: workerResponse },
    ...WORKER_RESPONSES,
    404: { description: 'The job has no such task' },
  },
  handle: async ({ body, unread, call }, services) => {
    const text = unread.get('estimators') ?? '[]';
    const credential = toCredential(body.simulation_id, body.update_key);
    const contentHash = body.task_id ? '' : hashOf(text, body.primaries, body.engine);
    const target = await services.jobs.getWorkerTarget(
      { credential, taskId: body.task_id ?? 0, celeryId: body.celery_id ?? '', contentHash },
      call,
    );
    // only now: reading megabytes for whoever has no key would hold up the others
    const content = readContent(body, text, unread.get('task_output'));
    if (!target.isWanted) return workerAnswer('Results stored', target.isRepeat);
    await store(body, content, target, services, call);
    const { isApplied } = await services.jobs.reportWorkerOutput(
      { credential, taskId: body.task_id ?? 0, contentHash },
      call,
    );
    return workerAnswer('Results stored', isApplied);
  },
});

type Content = readonly UploadedEstimator[] | TaskOutputFile;

/** @throws ServiceError REQUEST_INVALID */
function readContent(body: Upload, estimators: string, taskOutput: string | undefined): Content {
  if (taskOutput === undefined) return validate(uploadedEstimators, { estimators: parseMember(estimators) }).estimators;
  validate(noEstimators, { estimators: parseMember(estimators) });
  return readTaskOutput(taskOutput, body.primaries ?? 0);
}

async function store(
  body: Upload,
  content: Content,
  { jobId, primaries, taskCount, isPartial }: jobs.GetWorkerTargetResponse,
  { results }: RouteServices,
  call: RouteRequest['call'],
): Promise<void> {
  const engine = body.engine ?? ENGINE;
  if (body.task_id) {
    const task = { jobId, taskId: body.task_id, attemptId: body.celery_id || ENGINE };
    const header = { ...task, primaries: BigInt(body.primaries ?? 0), engine };
    const messages =
      'index' in content ? putTaskOutputMessages(task, content) : stream(taskOutputMessages(header, content));
    await results.putTaskOutput(messages, call);
    return;
  }
  if ('index' in content) throw new Error('a task output is always of a task');
  const behind = body.primaries === null || body.primaries === undefined ? primaries : BigInt(body.primaries);
  const header = { jobId, primaries: behind, taskCount, isPartial, engine };
  await results.putResults(stream(resultsMessages(header, content)), call);
}

/** Made as it is sent: the numbers of a page at a time. */
async function* stream<T>(messages: Iterable<T>): AsyncGenerator<T> {
  yield* messages;
}

function hashOf(...facts: readonly unknown[]): string {
  const hash = createHash('sha256');
  for (const fact of facts) hash.update(typeof fact === 'string' ? fact : JSON.stringify(fact ?? null)).update('\0');
  return hash.digest('hex');
}
