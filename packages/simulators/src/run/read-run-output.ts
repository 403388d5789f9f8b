import { OutputError } from '../output-error.js';
import type { OutputEvidence, ProcessEnd } from './judge-run.js';

/**
 * Reads what a run has left, if its end says that it is worth reading.
 * @param read - an output, with the primaries that it stands for; throws OutputError where there is none
 * @throws what `read` throws beside that
 */
export async function readRunOutput<Output extends { readonly primaries: number }>(
  process: ProcessEnd,
  read: () => Promise<Output>,
): Promise<{ readonly output?: Output; readonly evidence: OutputEvidence }> {
  if (process.kind !== 'exited' || process.exitCode !== 0) return { evidence: { kind: 'not-read' } };
  try {
    const output = await read();
    return { output, evidence: { kind: 'read', primaries: output.primaries } };
  } catch (err) {
    if (err instanceof OutputError) return { evidence: { kind: 'unusable', err } };
    throw err;
  }
}
