import type { ConversionReport } from '../conversion-report.js';
import type { ScoredQuantity } from './list-outputs.js';

/** For simulators that score in the local medium only. */
export function refuseOtherMedium({ quantity, path }: ScoredQuantity, report: ConversionReport): void {
  if (quantity.materialUuid === undefined) return;
  report.refuse(`${path}/materialUuid`, `"${quantity.name}" in another medium is not supported`);
}
