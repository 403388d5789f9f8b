import { isOurFault, type SentRequest } from './awkward-user.js';
import { HELD_MS_MAX, type Held, readHeld } from './held.js';

/** What was wrong while awkward requests were under way. */
export interface AwkwardJudgement {
  /** Event loops that were held, with the requests of that moment. */
  readonly tooLong: readonly string[];
  readonly faults: readonly SentRequest[];
  /** For people. */
  readonly summary: string;
}

const during = ({ whenMs, heldMs }: Held, sent: readonly SentRequest[]) =>
  sent
    .filter(({ fromMs, toMs }) => fromMs <= whenMs && toMs >= whenMs - heldMs)
    .map(({ what, path, bytes }) => `${what} (${path}, ${bytes} bytes)`);

/** @param folder - of heldSettings */
export function judgeRequests(folder: string, sinceMs: number, sent: readonly SentRequest[]): AwkwardJudgement {
  const held = readHeld(folder, sinceMs);
  const counts = sent.reduce(
    (all, { status }) => all.set(status, (all.get(status) ?? 0) + 1),
    new Map<number, number>(),
  );
  const longest = Math.max(0, ...held.map(({ ranMs }) => ranMs));
  return {
    tooLong: held
      .filter(({ ranMs }) => ranMs > HELD_MS_MAX)
      .map((one) => `${one.service} ran for ${Math.round(one.ranMs)} ms at a time: ${during(one, sent).join(', ')}`),
    faults: sent.filter(isOurFault),
    summary: `${sent.length} awkward requests: ${JSON.stringify([...counts])}; ${Math.round(longest)} ms at a time`,
  };
}
