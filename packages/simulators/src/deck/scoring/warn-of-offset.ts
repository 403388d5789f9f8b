import type { ConversionReport } from '../conversion-report.js';
import type { ScoredQuantity } from './list-outputs.js';

/** For simulators that have no offset: the editor has no field for it, so that nobody misses it. */
export function warnOfOffset({ quantity: { name, offset } }: ScoredQuantity, report: ConversionReport): void {
  if (offset === undefined || offset === 0) return;
  report.warn('OFFSET_UNUSED', `the offset ${offset} of "${name}" is not used`);
}
