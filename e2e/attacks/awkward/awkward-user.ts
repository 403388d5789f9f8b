import type { HttpSession } from '@tally/testkit';
import { takeBack } from '../../faults/delete-all.js';
import { type AwkwardRequest, drawRequest } from './awkward-requests.js';
import type { Random } from './draw.js';

/** A request, when it was under way, and what came of it. */
export interface SentRequest extends Pick<AwkwardRequest, 'what' | 'path'> {
  readonly bytes: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** 0: no answer. */
  readonly status: number;
  readonly detail: string;
}

/** That a scheduler refused is said so (docs/http-interface.md). */
export const isRefusedByScheduler = ({ status, detail }: SentRequest): boolean =>
  status === 500 && detail.includes('"BATCH_SUBMISSION_FAILED"');

/** No request is answered so, however awkward it is. */
export const isOurFault = (sent: SentRequest): boolean =>
  [0, 500, 502].includes(sent.status) && !isRefusedByScheduler(sent);

/** Sends one awkward request after the other while `isBusy`, and takes back the jobs that come of them. */
export async function askAwkwardly(
  session: HttpSession,
  gatewayUrl: string,
  random: Random,
  isBusy: () => boolean,
  platform: 'direct' | 'batch' = 'direct',
): Promise<SentRequest[]> {
  const sent: SentRequest[] = [];
  while (isBusy()) {
    const request = drawRequest(random, platform);
    const { what, path, body } = request;
    const fromMs = Date.now();
    const { status, text } = await postSignedIn(session, gatewayUrl, request);
    sent.push({ what, path, bytes: body.length, fromMs, toMs: Date.now(), status, detail: text.slice(0, 300) });
    if (path !== '/estimate' && status === 202) {
      const { job_id: jobId } = JSON.parse(text) as { job_id: string };
      await takeBack(session, jobId, platform);
    }
  }
  return sent;
}

/** As the console: a session that is over is renewed, and the request sent again. */
async function postSignedIn(...[session, ...request]: Parameters<typeof post>) {
  const answer = await post(session, ...request);
  if (answer.status !== 401) return answer;
  await session.send('GET', '/auth/refresh');
  return post(session, ...request);
}

/** Not by the client, which would write the body anew. */
async function post(session: HttpSession, gatewayUrl: string, { path, body }: AwkwardRequest) {
  const headers = { 'Content-Type': 'application/json', Cookie: session.cookieHeader };
  try {
    const answer = await fetch(`${gatewayUrl}${path}`, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  } catch (err) {
    return { status: 0, text: String(err) };
  }
}
