/**
 * Why a project or deck was not taken.
 * - `PROJECT_INVALID`: it is not what the editor writes, or refers to something that is not there.
 * - `PROJECT_TOO_LARGE`: it goes beyond a limit, which the message names.
 * - `PROJECT_UNSUPPORTED`: it is valid, but asks for what this simulator cannot do, and leaving it out would change the
 *   answer.
 * - `FILES_UNSUPPORTED`: nothing here runs users' own input files for this simulator.
 * - `FILES_INVALID`: users' own input files miss a file or a line, or contradict themselves.
 * - `DECK_INVALID`: a converted deck misses a file, or a file of it is not what the converter wrote.
 */
export type ConversionFailure =
  | 'PROJECT_INVALID'
  | 'PROJECT_TOO_LARGE'
  | 'PROJECT_UNSUPPORTED'
  | 'FILES_UNSUPPORTED'
  | 'FILES_INVALID'
  | 'DECK_INVALID';

/** One fault, with its place as a JSON pointer (RFC 6901) into the project, or a file name. */
export interface ConversionItem {
  readonly path: string;
  readonly message: string;
}

/** How many faults an error's text spells out; `items` holds them all. */
const ITEMS_IN_MESSAGE_MAX = 5;

/** Everything that is wrong, at once, so that a user mends it in one go. */
export class ConversionError extends Error {
  readonly reason: ConversionFailure;
  readonly items: readonly ConversionItem[];

  constructor(reason: ConversionFailure, items: readonly ConversionItem[], options?: ErrorOptions) {
    const shown = items.slice(0, ITEMS_IN_MESSAGE_MAX).map((item) => `${item.path}: ${item.message}`);
    const hidden = items.length - shown.length;
    super([...shown, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('; '), options);
    this.name = 'ConversionError';
    this.reason = reason;
    this.items = items;
  }
}
