import { serveThread } from '@tally/service-kit';
import type { Executables } from '@tally/simulators';
import {
  type ConvertedProject,
  convertSimData,
  encodeDecks,
  type WantedConversion,
} from '../domain/submit/convert-project.js';

/** What the thread is asked; `simDataJson` is handed over, or shared. */
export interface ConvertRequest {
  readonly wanted: WantedConversion;
  readonly simDataJson: Uint8Array;
  readonly executables: Executables;
}

serveThread(({ wanted, simDataJson, executables }: ConvertRequest) => {
  const value = encodeDecks(convertSimData(wanted, simDataJson, executables));
  return { value, transfer: memoryOf(value) };
});

/** Of the decks: it is handed over, as users' own files may have tens of megabytes. */
function memoryOf({ deck, simulatorDeck }: ConvertedProject): ArrayBuffer[] {
  const files = [...Object.values(deck), ...Object.values(simulatorDeck?.files ?? {})];
  return files.map(({ buffer }) => buffer as ArrayBuffer);
}
