import { spatialBins } from '../scoring/page-layout.js';
import { geometryCalls, makeCalls } from '../transport/setup-calls.js';
import { createTransportModule, type TransportModule } from '../transport/transport-module.js';
import { isKnownZero } from './filter-reach.js';
import type { Beam, Detector, TransportProblem, Vector } from './problem.js';

/** Something in a valid problem that is probably not meant: the simulation runs, but its result will surprise. */
export interface ProblemWarning {
  readonly code: 'BEAM_MISSES_WORLD' | 'DETECTOR_OUTSIDE_WORLD' | 'QUANTITY_ZERO';
  readonly message: string;
}

/** Points across a detector, an axis, that are looked at. */
const PROBES = 12;
const OUTSIDE = -1;
const NOTHING = 1e29;
/** A module that has grown beyond it is left: what former geometries took of its memory stays taken. */
const MEMORY_BYTES_MAX = 16 * 2 ** 20;

let kept: TransportModule | undefined;

/** The module of all questions of this thread, with the geometry of a problem: a new instance takes longer than they do. */
function moduleWith(problem: TransportProblem): TransportModule {
  if (kept === undefined || kept.memoryBytes() > MEMORY_BYTES_MAX) kept = createTransportModule();
  kept.call('clearGeometry');
  makeCalls(kept, geometryCalls(problem));
  return kept;
}

/** Turns z into the beam's direction by the shortest way, as the transport module does. */
function acrossBeam([dx, dy, dz]: Vector, x: number, y: number): Vector {
  const length = Math.hypot(dx, dy, dz);
  const [u, v, w] = [dx / length, dy / length, dz / length];
  if (w < -0.999999999999) return [-x, y, 0];
  const k = 1 / (1 + w);
  return [x * (1 - u * u * k) - y * u * v * k, y * (1 - v * v * k) - x * u * v * k, -x * u - y * v];
}

/** Whether the middle ray of the beam, or of a spot at an offset, meets the world. */
function meetsWorld(module: TransportModule, beam: Beam, offsetX: number, offsetY: number): boolean {
  const { positionCm, direction, sad } = beam;
  const shift = acrossBeam(direction, offsetX, offsetY);
  const slope = acrossBeam(direction, offsetX / (sad?.xCm ?? Infinity), offsetY / (sad?.yCm ?? Infinity));
  const length = Math.hypot(...direction);
  const ray = direction.map((component, i) => component / length + (slope[i] ?? 0));
  const norm = Math.hypot(...ray);
  const unit = ray.map((component) => component / norm);
  const start = positionCm.map((coordinate, i) => coordinate + (shift[i] ?? 0));
  if (module.call('locate', ...start) !== OUTSIDE) return true;
  return module.call('distanceToWorld', ...start, ...unit) < NOTHING;
}

function beamWarnings(module: TransportModule, { beam }: TransportProblem): ProblemWarning[] {
  if (beam.spots === undefined) {
    if (meetsWorld(module, beam, 0, 0)) return [];
    return [
      { code: 'BEAM_MISSES_WORLD', message: 'the middle of the beam passes by the world: its particles are lost' },
    ];
  }
  const missing = beam.spots.filter(({ xCm, yCm, weight }) => weight > 0 && !meetsWorld(module, beam, xCm, yCm)).length;
  if (missing === 0) return [];
  const message = `${missing} of ${beam.spots.length} spots pass by the world: their particles are lost`;
  return [{ code: 'BEAM_MISSES_WORLD', message }];
}

/** Middles of some bins of an axis. */
function probes(borders: Float64Array): number[] {
  const first = borders[0] ?? 0;
  const span = (borders[borders.length - 1] ?? 0) - first;
  return Array.from({ length: PROBES }, (_, i) => first + (span * (i + 0.5)) / PROBES);
}

/** Whether some point of a mesh or cylinder lies in the world. */
function isInWorld(module: TransportModule, detector: Extract<Detector, { type: 'mesh' | 'cylinder' }>): boolean {
  const axes = spatialBins(detector).map(({ borders }) => probes(borders));
  const inside = (x: number, y: number, z: number): boolean => module.call('locate', x, y, z) !== OUTSIDE;
  if (detector.type === 'mesh') {
    const [xs = [], ys = [], zs = []] = axes;
    return xs.some((x) => ys.some((y) => zs.some((z) => inside(x, y, z))));
  }
  const [radii = [], zs = []] = axes;
  const [centreX, centreY] = detector.centerCm;
  const turns = probes(Float64Array.of(0, 2 * Math.PI));
  return radii.some((r) =>
    turns.some((phi) => zs.some((z) => inside(centreX + r * Math.cos(phi), centreY + r * Math.sin(phi), z))),
  );
}

function zeroWarnings(problem: TransportProblem): ProblemWarning[] {
  return problem.outputs.flatMap(({ name: output, quantities }) =>
    quantities
      .filter((quantity) => isKnownZero(quantity, problem))
      .map(({ name }): ProblemWarning => {
        const message = `"${name}" of "${output}" is zero: it counts what nuclear reactions make, and they are off`;
        return { code: 'QUANTITY_ZERO', message };
      }),
  );
}

/** What in a valid problem is probably not meant. */
export function findWarnings(problem: TransportProblem): ProblemWarning[] {
  const module = moduleWith(problem);
  const used = new Set(problem.outputs.map(({ detector }) => detector));
  const outside = problem.detectors.filter(
    (detector, i) =>
      used.has(i) && (detector.type === 'mesh' || detector.type === 'cylinder') && !isInWorld(module, detector),
  );
  return [
    ...beamWarnings(module, problem),
    ...zeroWarnings(problem),
    ...outside.map(
      ({ name }): ProblemWarning => ({
        code: 'DETECTOR_OUTSIDE_WORLD',
        message: `detector "${name}" lies outside the world: it will score nothing`,
      }),
    ),
  ];
}
