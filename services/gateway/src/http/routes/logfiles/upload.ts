import { EXTERNAL_ATTEMPT_ID, type results } from '@tally/contracts';
import { defineRoute } from '../../route.js';
import { logfilesUpload, uploadHeaders, workerResponse } from '../../schemas/worker.js';
import { toCredential, WORKER_RESPONSES, workerAnswer } from '../../upload/worker-answer.js';

/** Bytes of one piece at most: what results takes at once, less a character; what its release before this takes. */
const PIECE_BYTES = 4 * 1024 * 1024 - 4;
const EARLIER_PIECE_BYTES = 256 * 1024 - 4;

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
    for (const [key, text] of await services.uploads.logfiles(raw.get('logfiles') ?? NOTHING)) {
      const bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
      const log = { jobId, ...toLog(key), attemptId: EXTERNAL_ATTEMPT_ID };
      for (const piece of pieces(bytes, body.offsets?.[key], PIECE_BYTES)) {
        const { isContentRead } = await services.results.appendLog({ ...log, ...piece, text: '' }, call);
        if (isContentRead === true) continue;
        for (const { content, ...rest } of pieces(bytes, body.offsets?.[key], EARLIER_PIECE_BYTES)) {
          await services.results.appendLog({ ...log, ...rest, text: content.toString() }, call);
        }
        break;
      }
    }
    return workerAnswer('Log files stored', true);
  },
});

const NOTHING = Buffer.from('{}');
const TASK_KEY = /^task_([1-9]\d{0,8})$/;

function toLog(key: string): Pick<results.AppendLogRequest, 'taskId' | 'name'> {
  const task = TASK_KEY.exec(key)?.[1];
  return task === undefined ? { taskId: 0, name: key } : { taskId: Number(task) };
}

/** UTF-8 in pieces of whole characters. @param offset - bytes before it; undefined: it is the whole log */
function* pieces(bytes: Buffer, offset: number | undefined, bytesMax: number) {
  for (let from = 0; from < bytes.length || from === 0; ) {
    let to = Math.min(from + bytesMax, bytes.length);
    while (to < bytes.length && ((bytes[to] ?? 0) & 0xc0) === 0x80) to += 1;
    const isRestart = offset === undefined && from === 0;
    yield { offset: BigInt((offset ?? 0) + from), content: bytes.subarray(from, to), isRestart };
    if (to === from) return;
    from = to;
  }
}
