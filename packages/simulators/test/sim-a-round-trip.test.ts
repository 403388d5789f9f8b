import { describe, expect, it } from '@jest/globals';
import { findMaterial, type Vector } from '@tally/engine';
import fc from 'fast-check';
import type { Project } from '../src/project/project.js';
import { readProject } from '../src/project/read-project.js';
import { convert } from '../src/sim-a/deck/convert.js';
import { detector, type Json } from './build-project.js';
import {
  readSimABeam,
  readSimADetectors,
  readSimAGeometry,
  readSimAMedia,
  type SimABlock,
} from './decks/read-sim-a-deck.js';
import { randomProject } from './random-project.js';

const ANGLES = 180 / Math.PI;
const MODELS = ['no straggling', 'Gaussian', 'Vavilov'];
const SCATTERING = ['no scattering', 'Gaussian', 'Moliere'];

/** The random project with its cylinder detector where this simulator can have one. */
const project = randomProject.map((json: Json) => {
  const { detectors } = json.detectorManager as { detectors: Json[] };
  const onAxis = detector('cylinder', 'Cylinder', 'Cyl', [0, 0, 1], {
    innerRadius: 0.5,
    radius: 6,
    depth: 12,
    radialSegments: 4,
    zSegments: 30,
  });
  const others = detectors.filter(({ uuid }) => uuid !== 'cylinder');
  return readProject({ ...json, detectorManager: { detectors: [...others, onAxis] } });
});

function numbers(words: readonly string[] | undefined): number[] {
  return (words ?? []).map(Number);
}

function blocksOf(blocks: readonly SimABlock[], kind: string): Map<string, SimABlock> {
  const found = blocks.filter((block) => block.kind.startsWith(kind));
  return new Map(found.map((block) => [wordAfter(block, 'Name') ?? wordAfter(block, 'Filename') ?? '', block]));
}

function wordAfter({ lines }: SimABlock, keyword: string): string | undefined {
  return lines.find(([word]) => word === keyword)?.[1];
}

/** Finds a random project's zones empty, or what earlier ones cover, without a volume: those cannot be scored. */
function convertible(made: Project): ReturnType<typeof convert> | undefined {
  try {
    return convert(made);
  } catch {
    return undefined;
  }
}

describe('a deck of simA, read by an independent reader', () => {
  it('has the beam of the project', () => {
    fc.assert(
      fc.property(project, (made) => {
        const deck = convertible(made);
        fc.pre(deck !== undefined);
        const beam = readSimABeam(deck?.files['beam.dat'] ?? '');
        const { particle, energy, energySpread, direction, position, sigma, sad, divergence } = made.beam;
        const [theta = 0, phi = 0] = numbers(beam.get('BEAMDIR')).map((angle) => angle / ANGLES);
        const unit = unitVector(direction);
        expect(beam.get('JPART0')).toEqual([String(particle.id)]);
        expect(numbers(beam.get('HIPROJ'))).toEqual(particle.id === 25 ? [particle.a, particle.z] : []);
        expect(numbers(beam.get('TMAX0'))).toEqual([energy, energySpread]);
        expect(numbers(beam.get('BEAMPOS')).map((one) => one + 0)).toEqual(position.map((one) => one + 0));
        expect(Math.sin(theta) * Math.cos(phi)).toBeCloseTo(unit[0], 12);
        expect(Math.sin(theta) * Math.sin(phi)).toBeCloseTo(unit[1], 12);
        expect(Math.cos(theta)).toBeCloseTo(unit[2], 12);
        expect(readShape(numbers(beam.get('BEAMSIGMA')))).toEqual(
          sigma.x === 0 && sigma.y === 0
            ? 'point'
            : sigma.type === 'Flat circular' && sigma.y === 0
              ? 'point'
              : sigma.type,
        );
        expect(numbers(beam.get('BEAMSAD'))).toEqual(sad.type === 'none' ? [] : [sad.x, sad.y]);
        expect(numbers(beam.get('BEAMDIV'))).toEqual(
          divergence.x > 0 ? [divergence.x, divergence.y, divergence.distanceToFocal] : [],
        );
        expect(numbers(beam.get('NSTAT'))).toEqual([made.beam.numberOfParticles, 0]);
      }),
    );
  });

  it('has the physics of the project', () => {
    fc.assert(
      fc.property(project, (made) => {
        const deck = convertible(made);
        fc.pre(deck !== undefined);
        const beam = readSimABeam(deck?.files['beam.dat'] ?? '');
        const { physic } = made;
        expect(numbers(beam.get('DELTAE'))).toEqual([physic.energyLoss]);
        expect(numbers(beam.get('STRAGG'))).toEqual([MODELS.indexOf(physic.energyModelStraggling)]);
        expect(numbers(beam.get('MSCAT'))).toEqual([SCATTERING.indexOf(physic.multipleScattering)]);
        expect(numbers(beam.get('NUCRE'))).toEqual([physic.enableNuclearReactions ? 1 : 0]);
      }),
    );
  });

  it('has every medium of its zones, each once, by ICRU id and density', () => {
    fc.assert(
      fc.property(project, (made) => {
        const deck = convertible(made);
        fc.pre(deck !== undefined);
        const media = readSimAMedia(deck?.files['mat.dat'] ?? '');
        const { zones } = readSimAGeometry(deck?.files['geo.dat'] ?? '');
        expect([...media.keys()]).toEqual(Array.from({ length: media.size }, (_, index) => index + 1));
        for (const { medium } of zones) expect(medium === 0 || medium === 1000 || media.has(medium)).toBe(true);
        for (const medium of media.values()) {
          const icru = Number(medium.get('ICRU'));
          const listed = made.materialManager.materials.find((material) => material.icru === icru);
          expect(Number(medium.get('RHO') ?? findMaterial(icru)?.densityGcm3)).toBe(listed?.density);
        }
      }),
    );
  });

  it('has the detectors, quantities, filters and axes of the project, and a manifest that says where they are', () => {
    fc.assert(
      fc.property(project, (made) => {
        const deck = convertible(made);
        fc.pre(deck !== undefined);
        const blocks = readSimADetectors(deck?.files['detect.dat'] ?? '');
        const outputs = blocksOf(blocks, 'Output');
        const geometries = blocksOf(blocks, 'Geometry');
        const filters = blocksOf(blocks, 'Filter');
        for (const [index, output] of made.scoringManager.outputs.entries()) {
          const estimator = deck?.manifest.estimators[index];
          const block = outputs.get(`${estimator?.pages[0]?.source?.file}.bdo`);
          expect(estimator?.outputUuid).toBe(output.uuid);
          expect(geometries.get(wordAfter(block ?? { kind: '', lines: [] }, 'Geo') ?? '')?.kind).toBe(
            geometryKind(made, output.detectorUuid),
          );
          const lines = block?.lines ?? [];
          const starts = lines.flatMap(([word], line) => (word === 'Quantity' ? [line] : []));
          expect(starts).toHaveLength(output.quantities.length);
          for (const [number, quantity] of output.quantities.entries()) {
            const page = estimator?.pages.find(({ quantityUuid }) => quantityUuid === quantity.uuid);
            const at = starts[Number(page?.source?.item)] ?? -1;
            const [, keyword, filter] = lines[at] ?? [];
            expect(page?.pageNumber).toBe(number + 1);
            expect(keyword).toBe(quantity.keyword);
            expect(filters.get(filter ?? '')?.lines.slice(1)).toEqual(rulesOf(made, quantity.filter));
            for (const [axis, modifier] of quantity.modifiers.entries()) {
              const [, lower, upper, bins, log] = lines[at + 1 + 2 * axis] ?? [];
              expect(numbers([lower ?? '', upper ?? '', bins ?? ''])).toEqual([
                modifier.lowerLimit,
                modifier.upperLimit,
                modifier.binsNumber,
              ]);
              expect(log === 'log').toBe(modifier.isLog);
              expect(lines[at + 2 + 2 * axis]).toEqual([`Diff${axis + 1}Type`, modifier.diffType]);
            }
          }
        }
      }),
    );
  });
});

/** Lines of the filter with this id, as the deck has to have them. */
function rulesOf({ scoringManager }: Project, uuid: string | undefined): string[][] | undefined {
  const filter = scoringManager.filters.find((one) => one.uuid === uuid);
  if (filter?.variant !== 'custom') return undefined;
  return filter.rules.map(({ keyword, operator, value }) => [keyword, operator, String(value)]);
}

function readShape([x = 0, y = 0]: readonly number[]): string {
  if (x === 0 && y === 0) return 'point';
  if (x < 0 && y < 0) return 'Flat square';
  return y < 0 ? 'Flat circular' : 'Gaussian';
}

function geometryKind(made: Project, uuid: string | undefined): string {
  const found = made.detectorManager.detectors.find((one) => one.uuid === uuid);
  return `Geometry ${found?.geometryData.geometryType}`;
}

/** The largest component first becomes one: squares of tiny components would vanish. */
function unitVector(vector: Vector): Vector {
  const largest = Math.max(...vector.map(Math.abs));
  const [x, y, z] = [vector[0] / largest, vector[1] / largest, vector[2] / largest];
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
