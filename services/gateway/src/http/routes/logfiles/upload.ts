import { EXTERNAL_ATTEMPT_ID, type results } from '@tally/contracts';
import { toCredential, WORKER_RESPONSES, workerAnswer } from '../../answer/worker-answer.js';
import { defineRoute } from '../../route.js';
import { logfilesUpload, uploadHeaders, workerResponse } from '../../schemas/worker.js';
import { readLogfiles, textPieces } from '../../upload/read-texts.js';

/** POST /logfiles: a worker delivers log text, in every state of the job. */
export const uploadLogfiles = defineRoute({
  method: 'POST',
  path: '/logfiles',
  auth: 'update_key',
  summary: 'Worker: upload log files',
  description:
    'Log files are merged by key: other keys stay. A text without an offset is the whole log and replaces what was ' +
    'there; with one it is a piece that follows so many bytes, and sending it again is harmless.',
  requestClass: 'submission',
  headers: uploadHeaders,
  body: logfilesUpload,
  rawMembers: ['logfiles'],
  responses: {
    202: { description: 'Stored', schema: workerResponse },
    404: { description: 'The job was deleted meanwhile' },
    ...WORKER_RESPONSES,
  },
  handle: async ({ body, raw, worker, call }, services) => {
    const credential = toCredential(body.simulation_id, body.update_key);
    const target = { credential, taskId: 0, celeryId: '', contentHash: '' };
    const isKnown = worker?.jobRef === credential.jobRef && worker.updateKey === credential.updateKey;
    const { jobId } = isKnown ? worker : await services.jobs.getWorkerTarget(target, call);
    const logs = await readLogfiles(raw.get('logfiles') ?? NOTHING);
    for await (const texts of inOneCall(nextTexts(logs, body.offsets ?? {}))) {
      await services.results.appendLogs({ jobId, attemptId: EXTERNAL_ATTEMPT_ID, texts }, call);
    }
    return workerAnswer('Log files stored', true);
  },
});

/** The texts of logs by key, in pieces of at most a megabyte. */
async function* nextTexts(
  logs: ReadonlyMap<string, Buffer>,
  offsets: Readonly<Record<string, number>>,
): AsyncGenerator<results.NextText> {
  for (const [key, json] of logs) {
    const offset = offsets[key];
    let at = offset ?? 0;
    for await (const text of json.length === EMPTY_BYTES ? [Buffer.alloc(0)] : textPieces(json)) {
      yield { ...toLog(key), offset: BigInt(at), text, isRestart: offset === undefined && at === 0 };
      at += text.byteLength;
    }
  }
}

/** As many as one call may have, no two of a log: hundreds of small logs are one call. */
async function* inOneCall(all: AsyncIterable<results.NextText>): AsyncGenerator<results.NextText[]> {
  let texts: results.NextText[] = [];
  let bytes = 0;
  for await (const next of all) {
    const last = texts.at(-1);
    const isSameLog = last !== undefined && last.taskId === next.taskId && last.name === next.name;
    if (isSameLog || bytes + next.text.byteLength > CALL_BYTES_MAX) {
      yield texts;
      [texts, bytes] = [[], 0];
    }
    texts.push(next);
    bytes += next.text.byteLength;
  }
  if (texts.length > 0) yield texts;
}

/** As a piece of a long log may have. */
const CALL_BYTES_MAX = 1024 * 1024;

const NOTHING = Buffer.from('{}');
/** Of an empty JSON string. */
const EMPTY_BYTES = 2;
const TASK_KEY = /^task_([1-9]\d{0,8})$/;

function toLog(key: string): Pick<results.NextText, 'taskId' | 'name'> {
  const task = TASK_KEY.exec(key)?.[1];
  return task === undefined ? { taskId: 0, name: key } : { taskId: Number(task) };
}
