import type { DriverChoice } from '@tally/simulators';
import type { DivideRequest } from './divide-deck.js';
import type { ReadRequest } from './read-output.js';

export interface OutputRequest extends ReadRequest {
  readonly choice: DriverChoice;
}

/** What a thread of simulator-thread.ts is asked: to divide a deck, or to read an output. */
export type SimulatorRequest = { readonly divide: DivideRequest } | { readonly read: OutputRequest };
