import type { jobs } from '@tally/contracts';

/** A submission as the gateway has sent it to SubmitJob or EstimateJob, in one piece. */
export interface SentSubmission extends jobs.Submission {
  readonly simDataJson: Buffer;
  /** Lengths of its pieces. */
  readonly pieceBytes: readonly number[];
}

/** Answers every submission alike. `last`: the last one that came. */
export function takeSubmissions<Answer>(answer: Answer) {
  let last: SentSubmission | undefined;
  return {
    handle: async (parts: AsyncIterable<jobs.SubmitJobRequest>): Promise<Answer> => {
      last = await readSubmission(parts);
      return answer;
    },
    last: (): SentSubmission => {
      if (last === undefined) throw new Error('no submission has come');
      return last;
    },
  };
}

async function readSubmission(parts: AsyncIterable<jobs.SubmitJobRequest>): Promise<SentSubmission> {
  let submission: jobs.Submission | undefined;
  const pieces: Buffer[] = [];
  for await (const { part } of parts) {
    if (part?.$case === 'chunk') pieces.push(part.value);
    else if (submission === undefined && part !== undefined) submission = part.value;
    else throw new Error('a submission with two headers');
  }
  const simDataJson = Buffer.concat(pieces);
  if (submission === undefined || Number(submission.simDataBytes) !== simDataJson.length) {
    throw new Error('a submission that is not whole');
  }
  return { ...submission, simDataJson, pieceBytes: pieces.map(({ length }) => length) };
}
