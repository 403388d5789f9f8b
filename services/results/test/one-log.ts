import type { results } from '@tally/contracts';

/** The next text of one log, with what the others of a request have in common. */
export type OneLog = results.NextText & Pick<results.AppendLogsRequest, 'jobId' | 'attemptId'>;

/** A request for one log. */
export function ofOneLog({ jobId, attemptId, ...text }: OneLog): results.AppendLogsRequest {
  return { jobId, attemptId, texts: [text] };
}
