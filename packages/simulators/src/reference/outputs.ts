import { decodeTaskOutput, MergeError, type TaskOutput } from '@tally/merge';
import type { OutputFolder } from '../driver.js';
import { OutputError } from '../output-error.js';
import { OUTPUT_FILE } from './deck-files.js';

/**
 * The output that the engine wrote: already in the form in which tasks are merged.
 * @throws OutputError `MISSING` without the file, `UNREADABLE` when it is cut short or not the engine's
 */
export async function outputs(folder: OutputFolder): Promise<TaskOutput> {
  if (!folder.names.includes(OUTPUT_FILE)) throw new OutputError('MISSING', OUTPUT_FILE, 'the engine wrote no output');
  const bytes = await folder.read(OUTPUT_FILE);
  try {
    return decodeTaskOutput(bytes);
  } catch (error) {
    if (!(error instanceof MergeError)) throw error;
    throw new OutputError('UNREADABLE', OUTPUT_FILE, error.message, { cause: error });
  }
}
