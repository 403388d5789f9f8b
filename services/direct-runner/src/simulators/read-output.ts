import { openOutputFolder } from '@tally/launcher';
import { writeTaskOutput } from '@tally/merge';
import type { SimulatorDriver } from '@tally/simulators';
import { OutputError } from '@tally/simulators/run';
import type { ReadOutput } from '../domain/ports.js';
import type { ReadAnswer } from './read-answer.js';

/** The folder of a task, and what its output must be. */
export interface ReadRequest {
  readonly folder: string;
  /** Of a file. */
  readonly bytesMax: number;
  /** That the task was asked for. */
  readonly primaries: number;
}

/** @throws OutputError */
export async function readOutput(
  driver: Pick<SimulatorDriver, 'outputs'>,
  { folder, bytesMax, primaries }: ReadRequest,
): Promise<ReadOutput> {
  const output = await driver.outputs(await openOutputFolder(folder, bytesMax), primaries);
  const warned = output.warnings === undefined ? {} : { warnings: output.warnings };
  return { primaries: output.primaries, ...warned, written: writeTaskOutput(output) };
}

/** {@link readOutput} for fromAnswer. */
export async function answerRead(...request: Parameters<typeof readOutput>): Promise<ReadAnswer> {
  try {
    return await readOutput(...request);
  } catch (err) {
    if (!(err instanceof OutputError)) throw err;
    const { reason, fileName, message } = err;
    return { unusable: { reason, fileName, message: message.slice(`${fileName}: `.length) } };
  }
}
