import { describe, expect, it } from '@jest/globals';
import { buildProject, quantity } from '../../../test/build-project.js';
import { readProject } from '../../project/read-project.js';
import { createConversionReport } from '../conversion-report.js';
import { listAxes } from './list-axes.js';

const PLACE = '/scoringManager/outputs/0/quantities/0';
const HISTOGRAM = {
  histogramNBins: 50,
  histogramMin: 1,
  histogramMax: 20,
  histogramUnit: 'keV',
  histogramXBinScheme: 'log',
};

function axesWith(histogramXScale: string) {
  const spectrum = { ...quantity('spectrum', 'Spectrum', 'KineticEnergySpectrum'), ...HISTOGRAM, histogramXScale };
  const [output] = readProject(buildProject({ [PLACE]: spectrum })).scoringManager.outputs;
  const [read] = output?.quantities ?? [];
  if (read === undefined) throw new Error('there is no quantity');
  const report = createConversionReport([]);
  return { axes: listAxes(read, PLACE, report), items: report.items };
}

describe('the histogram of a spectrum', () => {
  it('is an axis in energy, in MeV', () => {
    const axis = { diffType: 'E', lowerLimit: 0.001, upperLimit: 0.02, binsNumber: 50, isLog: true };
    expect(axesWith('none')).toEqual({ axes: [axis], items: [] });
  });

  it.each(['log', 'log10', 'exp'])('over %s of the energy is refused: nobody writes one', (scale) => {
    const message = expect.stringMatching(/^"Spectrum" has \w+ of the energy on its axis/);
    expect(axesWith(scale).items).toEqual([{ path: `${PLACE}/histogramXScale`, message }]);
  });
});
