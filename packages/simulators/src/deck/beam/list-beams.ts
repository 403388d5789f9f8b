import type { Vector } from '@tally/engine';
import type { Beam } from '../../project/beam.js';
import type { Species } from '../../project/particle.js';
import type { ConversionReport } from '../conversion-report.js';
import { beamAxes } from './beam-axes.js';
import { convertBeamEnergy } from './beam-energy.js';
import { readSpotList, type SpotList } from './read-spot-list.js';

/** A beam without a source file, and its share of the primaries, in any unit. */
export interface WeightedBeam {
  readonly beam: Beam;
  readonly weight: number;
}

/** The project's beam; one for each spot where its source is a file. Energies of spots are in MeV. */
export function listBeams(beam: Beam, species: Species, report: ConversionReport): readonly WeightedBeam[] {
  const { energy: _, ...energies } = convertBeamEnergy(beam, species, 'MeV');
  const list = readSpotList(beam, species, energies.spread, report);
  if (list === undefined) return [{ beam, weight: 1 }];
  const axes = beamAxes(beam.direction);
  const common: Beam = {
    ...beam,
    sourceType: 'simple',
    sourceFile: undefined,
    sad: { type: 'none', x: 0, y: 0 },
    energyUnit: 'MeV',
    energyLowCutoff: energies.lowCutoff,
    energyHighCutoff: energies.highCutoff,
  };
  return list.spots.map((spot) => ({ beam: { ...common, ...placeSpot(spot, list, beam, axes) }, weight: spot.weight }));
}

function placeSpot(
  spot: SpotList['spots'][number],
  { sourceCm }: SpotList,
  { position, divergence }: Beam,
  axes: ReturnType<typeof beamAxes>,
): Pick<Beam, 'energy' | 'energySpread' | 'position' | 'direction' | 'sigma' | 'divergence'> {
  const slopes: Vector = sourceCm === undefined ? [0, 0, 1] : [spot.xCm / sourceCm.x, spot.yCm / sourceCm.y, 1];
  const [x, y, z] = combine([spot.xCm, spot.yCm, 0], axes);
  return {
    energy: spot.energyMev,
    energySpread: spot.energySpreadMev,
    position: [position[0] + x, position[1] + y, position[2] + z],
    direction: [...combine(slopes, axes)],
    sigma: { type: 'Gaussian', x: spot.sigmaXCm, y: spot.sigmaYCm },
    divergence: { ...divergence, x: spot.divergenceXMrad, y: spot.divergenceYMrad },
  };
}

function combine([a, b, c]: Vector, [e1, e2, e3]: ReturnType<typeof beamAxes>): Vector {
  return [a * e1[0] + b * e2[0] + c * e3[0], a * e1[1] + b * e2[1] + c * e3[1], a * e1[2] + b * e2[2] + c * e3[2]];
}
