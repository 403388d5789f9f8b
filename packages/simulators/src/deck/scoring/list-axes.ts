import { MEV_PER_UNIT } from '../../project/filter.js';
import { type Modifier, type Quantity, SPECTRUM } from '../../project/scoring.js';
import type { ConversionReport } from '../conversion-report.js';

/** Differential axes of a quantity, energies in MeV; the histogram of a spectrum is an axis like any other. */
export function listAxes(quantity: Quantity, path: string, report: ConversionReport): readonly Modifier[] {
  if (quantity.keyword !== SPECTRUM || quantity.modifiers.length > 0) return quantity.modifiers;
  const { histogramNBins: binsNumber, histogramMin: min, histogramMax: max, histogramUnit: unit = 'MeV' } = quantity;
  const isLog = quantity.histogramXBinScheme === 'log';
  const { histogramXScale: scale = 'none' } = quantity;
  if (scale !== 'none' && scale !== '') {
    const message = `"${quantity.name}" has ${scale} of the energy on its axis, which is not supported; take logarithmic bins`;
    report.refuse(`${path}/histogramXScale`, message);
  }
  if (binsNumber === undefined || min === undefined || max === undefined) {
    report.refuse(`${path}/histogramNBins`, `"${quantity.name}" must have a histogram or a differential axis`);
    return [];
  }
  if (min >= max) report.refuse(`${path}/histogramMax`, 'must be larger than histogramMin');
  if (isLog && min <= 0) report.refuse(`${path}/histogramMin`, 'must be larger than 0 with logarithmic bins');
  const mev = MEV_PER_UNIT[unit];
  return [{ diffType: 'E', lowerLimit: min * mev, upperLimit: max * mev, binsNumber, isLog }];
}
