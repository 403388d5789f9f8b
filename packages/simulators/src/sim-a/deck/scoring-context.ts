import type { Detector } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { DeckMaterial } from '../../deck/material-table.js';
import type { ScoredOutput } from '../../deck/scoring/list-outputs.js';
import type { ZoneNumbers } from './zone-numbers.js';

/** What outputs refer to. */
export interface ScoringContext {
  readonly outputs: readonly ScoredOutput[];
  readonly detectors: readonly Detector[];
  readonly zones: ZoneNumbers;
  readonly materialTable: {
    readonly materials: readonly DeckMaterial[];
    /** Number in `mat.dat` of the material at an index. */
    readonly numberOf: (index: number) => number;
  };
  /** Index of the medium of a quantity, by the quantity's path. */
  readonly materialNumbers: ReadonlyMap<string, number>;
  readonly report: ConversionReport;
}
