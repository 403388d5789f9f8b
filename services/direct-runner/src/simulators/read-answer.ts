import { OutputError } from '@tally/simulators/run';
import type { ReadOutput } from '../domain/ports.js';

/** An output, or why there is none, as it goes from a thread: an error would lose its class. */
export type ReadAnswer = ReadOutput | { readonly unusable: Pick<OutputError, 'reason' | 'fileName' | 'message'> };

/** @throws OutputError */
export function fromAnswer(answer: ReadAnswer): ReadOutput {
  if (!('unusable' in answer)) return answer;
  const { reason, fileName, message } = answer.unusable;
  throw new OutputError(reason, fileName, message);
}
