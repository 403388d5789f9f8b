import { EXTERNAL_ATTEMPT_ID, type results } from '@tally/contracts';
import { parseMember } from '../../request/body.js';
import { validate } from '../../request/validate.js';
import { defineRoute } from '../../route.js';
import { logfilesUpload, uploadedLogfiles, workerResponse } from '../../schemas/worker.js';
import { toCredential, WORKER_RESPONSES, workerAnswer } from '../../upload/worker-answer.js';

/** Bytes of one piece at most: what results takes at once, less a character. */
const PIECE_BYTES = 256 * 1024 - 4;

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
  body: logfilesUpload,
  rawMembers: ['logfiles'],
  responses: { 202: { description: 'Stored', schema: workerResponse }, ...WORKER_RESPONSES },
  handle: async ({ body, raw, call }, services) => {
    const credential = toCredential(body.simulation_id, body.update_key);
    const target = { credential, taskId: 0, celeryId: '', contentHash: '' };
    const { jobId } = await services.jobs.getWorkerTarget(target, call);
    const { logfiles } = validate(uploadedLogfiles, { logfiles: parseMember(raw.get('logfiles') ?? '{}') });
    for (const [key, text] of Object.entries(logfiles)) {
      for (const piece of pieces(text, body.offsets?.[key])) {
        await services.results.appendLog({ jobId, ...toLog(key), attemptId: EXTERNAL_ATTEMPT_ID, ...piece }, call);
      }
    }
    return workerAnswer('Log files stored', true);
  },
});

const TASK_KEY = /^task_([1-9]\d{0,8})$/;

function toLog(key: string): Pick<results.AppendLogRequest, 'taskId' | 'name'> {
  const task = TASK_KEY.exec(key)?.[1];
  return task === undefined ? { taskId: 0, name: key } : { taskId: Number(task) };
}

/** Text in pieces of whole characters. @param offset - bytes before it; undefined: it is the whole log */
function* pieces(text: string, offset: number | undefined) {
  const bytes = Buffer.from(text, 'utf8');
  for (let from = 0; from < bytes.length || from === 0; ) {
    let to = Math.min(from + PIECE_BYTES, bytes.length);
    while (to < bytes.length && ((bytes[to] ?? 0) & 0xc0) === 0x80) to += 1;
    const isRestart = offset === undefined && from === 0;
    yield { offset: BigInt((offset ?? 0) + from), text: bytes.toString('utf8', from, to), isRestart };
    if (to === from) return;
    from = to;
  }
}
