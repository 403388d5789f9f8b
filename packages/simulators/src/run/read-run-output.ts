import type { TaskOutput } from '@tally/merge';
import type { OutputFolder, SimulatorDriver } from '../driver.js';
import { OutputError } from '../output-error.js';
import type { OutputEvidence, ProcessEnd } from './judge-run.js';

/**
 * Reads what a run has left, if its end says that it is worth reading.
 * @param primaries - that the task was asked for; of a run that was told to finish early, those that it says it has simulated
 * @throws what the folder throws
 */
export async function readRunOutput(
  driver: SimulatorDriver,
  primaries: number,
  process: ProcessEnd,
  openFolder: () => Promise<OutputFolder>,
): Promise<{ readonly output?: TaskOutput; readonly evidence: OutputEvidence }> {
  if (process.kind !== 'exited' || process.exitCode !== 0) return { evidence: { kind: 'not-read' } };
  try {
    const output = await driver.outputs(await openFolder(), primaries);
    return { output, evidence: { kind: 'read', primaries: output.primaries } };
  } catch (err) {
    if (err instanceof OutputError) return { evidence: { kind: 'unusable', err } };
    throw err;
  }
}
