import type { ConversionReport } from '../conversion-report.js';
import type { ScoredQuantity } from './list-outputs.js';

/** For simulators that score in the local medium and as it is: refuses offsets and other media. */
export function refuseUnscored({ quantity, path }: ScoredQuantity, report: ConversionReport): void {
  if (quantity.offset !== undefined && quantity.offset !== 0) {
    report.refuse(`${path}/offset`, `an offset on "${quantity.name}" is not supported`);
  }
  if (quantity.materialUuid !== undefined) {
    report.refuse(`${path}/materialUuid`, `"${quantity.name}" in another medium is not supported`);
  }
  if (quantity.medium !== undefined) {
    report.warn('KERMA_MEDIUM_UNUSED', `"${quantity.name}" does not depend on the kerma medium ${quantity.medium}`);
  }
}
