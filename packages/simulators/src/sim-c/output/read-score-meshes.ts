import type { DeckFiles, SourceAxis } from '../../driver.js';

/** Axes of scoring meshes by their names, in the order of our pages: x, y, z, or r, phi, z. */
export type ScoreMeshes = ReadonlyMap<string, readonly SourceAxis[]>;

/** cm in a unit of length; without one millimetres are meant. */
const CM_PER_UNIT: Readonly<Record<string, number>> = { nm: 1e-7, um: 1e-4, mm: 0.1, cm: 1, m: 100, km: 1e5 };
const DEG_PER_UNIT: Readonly<Record<string, number>> = { deg: 1, rad: 180 / Math.PI, mrad: 0.18 / Math.PI };

interface Mesh {
  readonly kind: 'box' | 'cylinder';
  /** Half sizes of a box; radius and half length of a cylinder, cm. */
  size: readonly number[];
  center: readonly number[];
  bins: readonly number[];
  /** Beginning and span, degrees. */
  angles: readonly [number, number];
  /** It has been said twice, is turned, or hangs on something that is not known here. */
  isUnclear: boolean;
}

/**
 * Where the scoring meshes of users' own macros are: their dumps count bins only. A mesh is left out when it is turned
 * or when its numbers are not plain ones, such as aliases. `cylinderRMin` moves nothing: Geant4 (11.4, SetSize of
 * G4VScoringMesh) takes the first command of a size and warns of others, so that only a mesh without it has a volume.
 */
export function readScoreMeshes(files: DeckFiles): ScoreMeshes {
  const meshes = new Map<string, Mesh>();
  for (const text of Object.values(files)) {
    let current: Mesh | undefined;
    for (const line of text.split('\n')) {
      const [command = '', ...words] = line.trim().split(/\s+/);
      const kind = /^\/score\/create\/(box|cylinder)Mesh$/.exec(command)?.[1];
      const [name = ''] = words;
      if (kind === 'box' || kind === 'cylinder') {
        current = createMesh(kind, meshes.has(name));
        meshes.set(name, current);
      } else if (command.startsWith('/score/create/') || command === '/score/close') current = undefined;
      else if (command === '/score/open') current = meshes.get(name);
      else if (current !== undefined) applyCommand(current, command, words);
    }
  }
  return new Map(
    [...meshes].flatMap(([name, mesh]): [string, readonly SourceAxis[]][] => {
      const axes = mesh.kind === 'box' ? boxAxes(mesh) : cylinderAxes(mesh);
      return mesh.isUnclear || !axes.every(isSound) ? [] : [[name, axes]];
    }),
  );
}

function createMesh(kind: Mesh['kind'], isUnclear: boolean): Mesh {
  return { kind, size: [], center: [0, 0, 0], bins: [], angles: [0, 360], isUnclear };
}

function applyCommand(mesh: Mesh, command: string, words: readonly string[]): void {
  const lengths = (count: number): number[] => scale(words, count, CM_PER_UNIT, 'mm');
  switch (command) {
    case '/score/mesh/boxSize':
      mesh.size = lengths(3);
      return;
    case '/score/mesh/cylinderSize':
      mesh.size = lengths(2);
      return;
    case '/score/mesh/cylinderAngles': {
      const [begin = Number.NaN, span = Number.NaN] = scale(words, 2, DEG_PER_UNIT, 'deg');
      mesh.angles = [begin, span];
      return;
    }
    case '/score/mesh/nBin':
      mesh.bins = words.map(Number);
      return;
    case '/score/mesh/translate/xyz':
      mesh.center = lengths(3);
      return;
    case '/score/mesh/translate/reset':
      mesh.center = [0, 0, 0];
      return;
    default:
      if (command.startsWith('/score/mesh/rotate')) mesh.isUnclear = true;
  }
}

/** So many numbers, in the unit that stands behind them. */
function scale(
  words: readonly string[],
  count: number,
  factors: Readonly<Record<string, number>>,
  unit: string,
): number[] {
  const factor = factors[words[count] ?? unit] ?? Number.NaN;
  return Array.from({ length: count }, (_, index) => Number(words[index] ?? Number.NaN) * factor);
}

function boxAxes({ size, center, bins }: Mesh): SourceAxis[] {
  return ['x', 'y', 'z'].map((name, axis) => {
    const [half = Number.NaN, middle = Number.NaN] = [size[axis], center[axis]];
    return { name, unit: 'cm', lower: middle - half, upper: middle + half, bins: bins[axis] ?? 0, isLog: false };
  });
}

/** The command gives bins as r, z, phi. */
function cylinderAxes({ size, center, bins, angles }: Mesh): SourceAxis[] {
  const [radius = Number.NaN, half = Number.NaN] = size;
  const [rBins = 0, zBins = 0, phiBins = 0] = bins;
  const middle = center[2] ?? Number.NaN;
  const [begin, span] = angles;
  return [
    { name: 'r', unit: 'cm', lower: 0, upper: radius, bins: rBins, isLog: false },
    { name: 'phi', unit: 'deg', lower: begin, upper: begin + span, bins: phiBins, isLog: false },
    { name: 'z', unit: 'cm', lower: middle - half, upper: middle + half, bins: zBins, isLog: false },
  ];
}

function isSound({ lower, upper, bins }: SourceAxis): boolean {
  return Number.isFinite(lower) && Number.isFinite(upper) && lower < upper && Number.isSafeInteger(bins) && bins > 0;
}
