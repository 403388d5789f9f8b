import { describe, expect, it } from '@jest/globals';
import { findMaterial, type Vector } from '@tally/engine';
import fc from 'fast-check';
import { ConversionError } from '../src/conversion-error.js';
import type { Conversion } from '../src/driver.js';
import { findSpecies } from '../src/project/particle.js';
import type { Project } from '../src/project/project.js';
import { readProject } from '../src/project/read-project.js';
import { convert } from '../src/sim-d/deck/convert.js';
import { detector, type Json } from './build-project.js';
import { numberOf, readSimDParameters, type SimDParameters, textOf, valuesOf } from './decks/read-sim-d-deck.js';
import { GOLDEN_PROJECTS } from './golden/projects.js';
import { randomProject } from './random-project.js';

const SOURCE = 'So/Beam';
const KEYWORDS = ['Dose', 'DoseGy', 'Energy', 'Fluence'];
const QUANTITIES: Readonly<Record<string, string>> = {
  Dose: 'DoseToMedium',
  DoseGy: 'DoseToMedium',
  Energy: 'EnergyDeposit',
  Fluence: 'Fluence',
};

/** Beams and scoring at random, on figures that do not cut each other; angles only of Gaussian beams. */
const project = fc
  .tuple(randomProject, fc.array(fc.constantFrom(...KEYWORDS), { minLength: 1, maxLength: 4 }))
  .map(([json, keywords]): Project => {
    const { figureManager, zoneManager, materialManager } = GOLDEN_PROJECTS['water-tank'] ?? {};
    const beam = json.beam as { sigma: { type: string } } & Json;
    const isParallel = beam.sigma.type !== 'Gaussian';
    const parallel = { sad: { type: 'none', x: 0, y: 0 }, divergence: { x: 0, y: 0, distanceToFocal: 0 } };
    const quantities = keywords.map((keyword, index) => ({
      uuid: `quantity-${index}`,
      name: `${keyword} ${index}`,
      keyword,
      filter: index % 2 === 0 ? 'filter' : undefined,
      modifiers:
        index === 1
          ? [{ uuid: 'axis', diffType: 'E', lowerLimit: 1, upperLimit: 99, binsNumber: 7, isLog: false }]
          : [],
      rescale: index === 2 ? 0.5 : undefined,
    }));
    const rules = [
      { keyword: 'Z', operator: '==', value: 2 },
      { keyword: 'GEN', operator: '>=', value: 1 },
    ];
    return readProject({
      ...json,
      figureManager,
      zoneManager,
      materialManager,
      physic: { ...(json.physic as Json), energyModelStraggling: 'Vavilov', multipleScattering: 'Moliere' },
      beam: { ...beam, position: [0, 0, 1], ...(isParallel ? parallel : {}) },
      detectorManager: {
        detectors: [
          detector('mesh', 'Mesh', 'Mesh', [0.5, 1, 9], {
            width: 4,
            height: 3,
            depth: 10,
            xSegments: 2,
            ySegments: 3,
            zSegments: 5,
          }),
        ],
      },
      scoringManager: {
        outputs: [{ uuid: 'output', name: 'Mesh', detectorUuid: 'mesh', trace: false, quantities }],
        filters: [{ uuid: 'filter', name: 'Helium', rules }],
      },
    });
  });

function read(made: Project): { deck: Conversion; parameters: SimDParameters } {
  const deck = convert(made);
  return { deck, parameters: readSimDParameters(deck.files['topas_config.txt'] ?? '') };
}

/** Where the beam's group sends a vector: the reverse of how Geant4 turns a point into it. */
function toWorld(parameters: SimDParameters, vector: Vector): Vector {
  const angle = (name: string): number => (-(numberOf(parameters, `Ge/BeamFrame/${name}`) ?? 0) * Math.PI) / 180;
  let [x, y, z] = vector;
  const [rx, ry, rz] = [angle('RotX'), angle('RotY'), angle('RotZ')];
  [x, y] = [x * Math.cos(rz) - y * Math.sin(rz), x * Math.sin(rz) + y * Math.cos(rz)];
  [x, z] = [x * Math.cos(ry) + z * Math.sin(ry), -x * Math.sin(ry) + z * Math.cos(ry)];
  [y, z] = [y * Math.cos(rx) - z * Math.sin(rx), y * Math.sin(rx) + z * Math.cos(rx)];
  return [x, y, z];
}

describe('a deck of simD, read by an independent reader', () => {
  it('points the beam of the project, with its energy in MeV', () => {
    fc.assert(
      fc.property(project, (made) => {
        const { parameters } = read(made);
        const { direction, energy, energySpread, particle } = made.beam;
        const unit = unitVector(direction);
        const nucleons = findSpecies(particle)?.a ?? 1;
        for (const [axis, along] of toWorld(parameters, [0, 0, 1]).entries()) {
          expect(along).toBeCloseTo(unit[axis] ?? 0, 9);
        }
        expect(numberOf(parameters, 'Ge/BeamFrame/TransZ')).toBe(1 - 10);
        expect(numberOf(parameters, `${SOURCE}/NumberOfHistoriesInRun`)).toBe(made.beam.numberOfParticles);
        const isCut = energy - 6 * energySpread < 0.5 || energy + 6 * energySpread > 500;
        if (energySpread > 0 && isCut) {
          const energies = valuesOf(parameters, `${SOURCE}/BeamEnergySpectrumValues`).map(Number);
          const weights = valuesOf(parameters, `${SOURCE}/BeamEnergySpectrumWeights`).map(Number);
          expect(Math.min(...energies)).toBeGreaterThanOrEqual(0.5 * nucleons);
          expect(Math.max(...energies)).toBeLessThanOrEqual(500 * nucleons * (1 + 1e-12));
          expect(weights).toHaveLength(energies.length);
        } else {
          expect(numberOf(parameters, `${SOURCE}/BeamEnergy`)).toBeCloseTo(energy * nucleons, 6);
          const spread = ((numberOf(parameters, `${SOURCE}/BeamEnergySpread`) ?? 0) / 100) * energy;
          expect(spread).toBeCloseTo(energySpread, 9);
        }
      }),
    );
  });

  it('gives place and slope of the beam the variances of the project', () => {
    fc.assert(
      fc.property(project, (made) => {
        const { parameters } = read(made);
        const { sigma, divergence } = made.beam;
        const of = (name: string): number => numberOf(parameters, `${SOURCE}/${name}`) ?? Number.NaN;
        const type = textOf(parameters, `${SOURCE}/Type`);
        if (type === 'Emittance') {
          for (const [name, size, opening] of [
            ['X', sigma.x, divergence.x / 1000],
            ['Y', sigma.y, divergence.y / 1000],
          ] as const) {
            const [width, slope] = [of(`Sigma${name}`), of(`Sigma${name}prime`)];
            const covariance = of(`Correlation${name}`) * width * slope;
            // at the focal plane the spot has the size of the project, whatever the opening
            const f = divergence.distanceToFocal;
            const atFocus = width ** 2 + 2 * f * covariance + (f * slope) ** 2;
            expect(atFocus).toBeCloseTo(size ** 2, 9);
            expect(slope).toBeCloseTo(opening, 12);
          }
          return;
        }
        expect(type).toBe('Beam');
        const isPoint = sigma.type === 'Flat circular' ? sigma.y === 0 : sigma.x === 0 && sigma.y === 0;
        const distribution = textOf(parameters, `${SOURCE}/BeamPositionDistribution`);
        expect(distribution).toBe(isPoint ? 'None' : sigma.type === 'Gaussian' ? 'Gaussian' : 'Flat');
        if (isPoint) return;
        const size = sigma.type === 'Gaussian' ? 'BeamPositionSpread' : 'BeamPositionCutoff';
        expect(of(`${size}X`)).toBeCloseTo(sigma.type === 'Flat circular' ? sigma.y : sigma.x, 8);
        expect(of(`${size}Y`)).toBeCloseTo(sigma.y, 8);
      }),
    );
  });

  it('scores what the project says, and the manifest names file and scorer', () => {
    fc.assert(
      fc.property(project, (made) => {
        const { deck, parameters } = read(made);
        const [estimator] = deck.manifest.estimators;
        for (const quantity of made.scoringManager.outputs[0]?.quantities ?? []) {
          const page = estimator?.pages.find(({ quantityUuid }) => quantityUuid === quantity.uuid);
          const scorer = `Sc/${page?.source?.item}`;
          expect(`${textOf(parameters, `${scorer}/OutputFile`)}.csv`).toBe(page?.source?.file);
          expect(textOf(parameters, `${scorer}/Quantity`)).toBe(QUANTITIES[quantity.keyword]);
          expect(valuesOf(parameters, `${scorer}/Report`)).toEqual(['Sum', 'Mean', 'Standard_Deviation']);
          expect(page?.scale).toBe(quantity.rescale ?? 1);
          const isFiltered = quantity.filter !== undefined;
          expect(numberOf(parameters, `${scorer}/OnlyIncludeParticlesOfAtomicNumber`)).toBe(isFiltered ? 2 : undefined);
          expect(textOf(parameters, `${scorer}/OnlyIncludeParticlesOfGeneration`)).toBe(
            isFiltered ? 'Secondary' : undefined,
          );
          const [axis] = quantity.modifiers;
          expect(numberOf(parameters, `${scorer}/EBins`)).toBe(axis?.binsNumber);
          expect(numberOf(parameters, `${scorer}/EBinMax`)).toBe(axis?.upperLimit);
        }
        const component = textOf(parameters, `Sc/${estimator?.pages[0]?.source?.item}/Component`) ?? '';
        const place = (name: string): number => numberOf(parameters, `Ge/${component}/${name}`) ?? Number.NaN;
        expect(['TransX', 'TransY', 'TransZ', 'HLX', 'HLY', 'HLZ'].map(place)).toEqual([0.5, 1, -1, 2, 1.5, 5]);
        expect(['XBins', 'YBins', 'ZBins'].map(place)).toEqual([2, 3, 5]);
        expect(textOf(parameters, `Ge/${component}/IsParallel`)).toBe('True');
      }),
    );
  });

  it('defines every material by composition, fractions adding up to one', () => {
    const { parameters } = read(readProject(GOLDEN_PROJECTS.materials));
    const names = [...parameters.keys()].flatMap((name) => /^Ma\/(\w+)\/Density$/.exec(name)?.[1] ?? []);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const fractions = valuesOf(parameters, `Ma/${name}/Fractions`).map(Number);
      expect(fractions.reduce((sum, fraction) => sum + fraction, 0)).toBeCloseTo(1, 12);
      for (const element of valuesOf(parameters, `Ma/${name}/Components`)) {
        const z = numberOf(parameters, `El/${element}/AtomicNumber`) ?? 0;
        expect(textOf(parameters, `El/${element}/Symbol`)).toBe(findMaterial(z)?.name);
      }
    }
  });

  it('never fails but with everything that it cannot do', () => {
    fc.assert(
      fc.property(randomProject, (json) => {
        try {
          read(readProject(json));
        } catch (err) {
          if (!(err instanceof ConversionError)) throw err;
          expect(err.reason).toBe('PROJECT_UNSUPPORTED');
          expect(err.items.length).toBeGreaterThan(0);
          for (const { path } of err.items) expect(path).toMatch(/^\//);
        }
      }),
    );
  });
});

/** The largest component first becomes one: squares of tiny components would vanish. */
function unitVector(vector: Vector): Vector {
  const largest = Math.max(...vector.map(Math.abs));
  const [x, y, z] = [vector[0] / largest, vector[1] / largest, vector[2] / largest];
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
