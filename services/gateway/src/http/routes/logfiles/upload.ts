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
    for (const [key, json] of await readLogfiles(raw.get('logfiles') ?? NOTHING)) {
      const offset = body.offsets?.[key];
      const log = { jobId, ...toLog(key), attemptId: EXTERNAL_ATTEMPT_ID };
      let at = offset ?? 0;
      for await (const text of json.length === EMPTY_BYTES ? [Buffer.alloc(0)] : textPieces(json)) {
        const isRestart = offset === undefined && at === 0;
        await services.results.appendLog({ ...log, offset: BigInt(at), isRestart, text }, call);
        at += text.byteLength;
      }
    }
    return workerAnswer('Log files stored', true);
  },
});

const NOTHING = Buffer.from('{}');
/** Of an empty JSON string. */
const EMPTY_BYTES = 2;
const TASK_KEY = /^task_([1-9]\d{0,8})$/;

function toLog(key: string): Pick<results.AppendLogRequest, 'taskId' | 'name'> {
  const task = TASK_KEY.exec(key)?.[1];
  return task === undefined ? { taskId: 0, name: key } : { taskId: Number(task) };
}
