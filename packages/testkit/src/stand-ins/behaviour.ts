import { readlinkSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * What a stand-in does with a task. `well`: progress, whole output, exit code 0; `fail`: a message and exit code 3;
 * `crash`: a signal, half way; `hang`: no end; `half`: exit code 0 and files that are cut in the middle; `silent`: exit
 * code 0 and no files; `miscount`: well, but with one history more than it was asked for.
 */
export const BEHAVIOURS = ['well', 'fail', 'crash', 'hang', 'half', 'silent', 'miscount'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** What a task was, as the stand-in noted it. `number`: order of arrival, from 1; attempts of a task have the same. */
export interface StandInNote {
  readonly number: number;
  readonly seed: string;
  readonly primaries: number;
}

/** Environment of a stand-in: a folder that all share, and behaviours by number, as JSON. */
export const DIRECTORY_VARIABLE = 'STAND_IN_DIRECTORY';
export const BEHAVIOURS_VARIABLE = 'STAND_IN_BEHAVIOURS';

/** Notes the task and says what to do with it. Tasks are told apart by their seeds, over all attempts and processes. */
export function findBehaviour(seed: string, primaries: number): Behaviour {
  const directory = process.env[DIRECTORY_VARIABLE];
  if (directory === undefined) return 'well';
  const number = takeNumber(directory, `${seed} ${primaries}`);
  const behaviours = JSON.parse(process.env[BEHAVIOURS_VARIABLE] ?? '{}') as Record<string, Behaviour>;
  return behaviours[number] ?? 'well';
}

/** What the stand-ins that share a folder have noted, in the order of arrival. */
export function readStandInNotes(directory: string): StandInNote[] {
  const notes: StandInNote[] = [];
  for (let number = 1; ; number += 1) {
    const note = readNote(directory, number);
    if (note === undefined) return notes;
    const [seed = '', primaries] = note.split(' ');
    notes.push({ number, seed, primaries: Number(primaries) });
  }
}

/** A link is made with its text in one step, so that no other process finds it empty. */
function takeNumber(directory: string, note: string): number {
  for (let number = 1; ; number += 1) {
    try {
      symlinkSync(note, path.join(directory, `task-${number}`));
      return number;
    } catch (err) {
      if (readNote(directory, number) === note) return number;
      if (!(err instanceof Error && 'code' in err && err.code === 'EEXIST')) throw err;
    }
  }
}

function readNote(directory: string, number: number): string | undefined {
  try {
    return readlinkSync(path.join(directory, `task-${number}`));
  } catch {
    return undefined;
  }
}
