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

/** No request is answered so, however awkward it is. */
export const isOurFault = ({ status }: Pick<SentRequest, 'status'>): boolean => [0, 500, 502].includes(status);

/** Sends one awkward request after the other while `isBusy`, and takes back the jobs that come of them. */
export async function askAwkwardly(
  session: HttpSession,
  gatewayUrl: string,
  random: Random,
  isBusy: () => boolean,
): Promise<SentRequest[]> {
  const sent: SentRequest[] = [];
  while (isBusy()) {
    const request = drawRequest(random);
    const { what, path, body } = request;
    const fromMs = Date.now();
    const { status, text } = await post(session, gatewayUrl, request);
    sent.push({ what, path, bytes: body.length, fromMs, toMs: Date.now(), status, detail: text.slice(0, 300) });
    if (path === '/jobs/direct' && status === 202) {
      const { job_id: jobId } = JSON.parse(text) as { job_id: string };
      await takeBack(session, jobId);
    }
  }
  return sent;
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
