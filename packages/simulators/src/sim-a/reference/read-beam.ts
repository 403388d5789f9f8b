import type { Beam, Physics, Vector } from '@tally/engine';
import { ConversionError } from '../../conversion-error.js';
import { fanOut, parseSpots } from '../../deck/beam/read-spot-list.js';
import { OWN_TABLE } from '../../deck/stopping-powers.js';
import type { DeckFiles } from '../../driver.js';
import { findPdgNumber, findSpecies } from '../../project/particle.js';
import { BEAM_FILE, readPrimaries } from '../apportion.js';
import { HEAVY_ION_ID } from '../deck/species.js';
import { type DeckFaults, parseNumber, readWords, type WordLine } from './deck-reader.js';

/** What `beam.dat` asks for. */
export interface DeckBeam {
  readonly beam: Beam;
  readonly physics: Physics;
  readonly primaries: number;
}

const STRAGGLING = ['none', 'gaussian', 'vavilov'] as const;
const SCATTERING = ['none', 'gaussian', 'moliere'] as const;
const RADIANS_PER_DEGREE = Math.PI / 180;

/** Keywords that change nothing here: seeds are the job's, cut-offs of neutrons and steps the engine's own. */
const UNUSED = ['RNDSEED', 'RNDOFFSET', 'DEMIN', 'NEUTRFAST', 'NEUTRLCUT', 'EMTRANS', 'APCORR'];
const REFUSED = new Map([
  ['USEBMOD', 'a range modulator'],
  ['USEPARLEV', 'parameters of particle levels'],
  ['EXTSPEC', 'a spectrum from a file'],
]);
/** They belong to the modulator, which has been refused. */
const MODULATOR_DETAILS = ['BMODMC', 'BMODTRANS'];
const USED = [
  'JPART0',
  'HIPROJ',
  'TMAX0',
  'TCUT0',
  'NSTAT',
  'STRAGG',
  'MSCAT',
  'NUCRE',
  'BEAMPOS',
  'BEAMDIR',
  'BEAMSIGMA',
  'BEAMSAD',
  'BEAMDIV',
  'DELTAE',
  'USECBEAM',
];

/** Values of a keyword, numbers all. */
type ReadValues = (keyword: string, count: number, fallback: readonly number[]) => readonly number[];

/** Reads `beam.dat`, and the spot list that it names, for the built-in engine; what that cannot do goes to `faults`. */
export function readBeam(files: DeckFiles, faults: DeckFaults): DeckBeam {
  const text = files[BEAM_FILE] ?? '';
  const lines = readWords(text);
  for (const { line, words } of lines) checkKeyword(words[0] ?? '', line, faults);
  const byKeyword = new Map(lines.map((entry) => [(entry.words[0] ?? '').toUpperCase(), entry]));
  const read: ReadValues = (keyword, count, fallback) => readNumbers(byKeyword.get(keyword), count, fallback, faults);
  const primaries = readHistories(files, faults);
  const beam = describeBeam(byKeyword, read, faults);
  return {
    beam: addSpots(beam, byKeyword.get('USECBEAM'), { files, faults }),
    physics: describePhysics(read),
    primaries,
  };
}

/** As a task's share of them is set. */
function readHistories(files: DeckFiles, faults: DeckFaults): number {
  try {
    return readPrimaries(files);
  } catch (err) {
    if (!(err instanceof ConversionError)) throw err;
    for (const { message } of err.items) faults.refuse(BEAM_FILE, undefined, message);
    return 1;
  }
}

function checkKeyword(word: string, line: number, faults: DeckFaults): void {
  const keyword = word.toUpperCase();
  if (USED.includes(keyword) || UNUSED.includes(keyword) || MODULATOR_DETAILS.includes(keyword)) return;
  const reason = REFUSED.get(keyword) ?? `the keyword ${word}`;
  faults.refuse(BEAM_FILE, line, `${reason} is not supported by the built-in engine`);
}

function readNumbers(
  entry: WordLine | undefined,
  count: number,
  fallback: readonly number[],
  faults: DeckFaults,
): readonly number[] {
  if (entry === undefined) return fallback;
  const values = entry.words.slice(1).map(parseNumber);
  const end = values.indexOf(undefined);
  const numbers = values.slice(0, end === -1 ? undefined : end).filter((value) => value !== undefined);
  if (numbers.length < count) {
    faults.refuse(BEAM_FILE, entry.line, `${entry.words[0]} must have ${count} number${count === 1 ? '' : 's'}`);
    return fallback;
  }
  return [...numbers, ...fallback.slice(numbers.length)];
}

function describeBeam(byKeyword: ReadonlyMap<string, WordLine>, read: ReadValues, faults: DeckFaults): Beam {
  const particle = readParticle(byKeyword, read, faults);
  // energies of nuclei heavier than the proton are per nucleon
  const nucleons = particle.a > 1 ? particle.a : 1;
  const [energy = 0, spread = 0] = read('TMAX0', 1, [150, 0]);
  const [low = 0, high = 1000] = read('TCUT0', 2, [0, 1e9]);
  if (energy <= 0 || spread < 0) faults.refuse(BEAM_FILE, byKeyword.get('TMAX0')?.line, 'momenta are not supported');
  const [x = 0, y = 0, z = 0] = read('BEAMPOS', 3, [0, 0, 0]);
  const [theta = 0, phi = 0] = read('BEAMDIR', 1, [0, 0]);
  const [xMrad = 0, yMrad = 0, focal = 0] = read('BEAMDIV', 2, [0, 0, 0]);
  const sad = read('BEAMSAD', 1, []);
  const [sadX = 0, sadY = sadX] = [sad[0], sad[1]];
  return {
    particle,
    positionCm: [x, y, z],
    direction: toDirection(theta, phi),
    energyMev: energy * nucleons,
    energySpreadMev: spread * nucleons,
    energyLowCutoffMev: low * nucleons,
    energyHighCutoffMev: high * nucleons,
    shape: readShape(read('BEAMSIGMA', 1, []), byKeyword.get('BEAMSIGMA')?.line, faults),
    divergence: { xMrad, yMrad, distanceToFocalCm: focal },
    ...(sadX > 0 ? { sad: { xCm: sadX, yCm: sadY } } : {}),
  };
}

/** The beam with the spots of the file that USECBEAM names. */
function addSpots(
  beam: Beam,
  entry: WordLine | undefined,
  { files, faults }: { readonly files: DeckFiles; readonly faults: DeckFaults },
): Beam {
  if (entry === undefined) return beam;
  const name = entry.words[1] ?? '';
  const text = Object.hasOwn(files, name) ? files[name] : undefined;
  if (text === undefined) {
    faults.refuse(BEAM_FILE, entry.line, `there is no file "${name}"`);
    return beam;
  }
  const { energySpreadMev, divergence, particle, sad } = beam;
  const nucleons = Math.max(particle.a, 1);
  const source = { text, nucleons, energySpreadMev, divergenceMrad: { x: divergence.xMrad, y: divergence.yMrad } };
  const spots = parseSpots(source, (message, line) => faults.refuse(name, line, message));
  if (spots.length === 0) return beam;
  if (sad === undefined) return { ...beam, spots };
  const start = { position: beam.positionCm, direction: beam.direction };
  const list = fanOut(spots, { x: sad.xCm, y: sad.yCm }, start);
  if (list?.sourceCm === undefined) {
    faults.refuse(BEAM_FILE, entry.line, 'BEAMSAD must be upstream of where the beam starts');
    return beam;
  }
  return { ...beam, spots: list.spots, sad: { xCm: list.sourceCm.x, yCm: list.sourceCm.y } };
}

function readParticle(
  byKeyword: ReadonlyMap<string, WordLine>,
  read: ReadValues,
  faults: DeckFaults,
): Beam['particle'] {
  const [id = 2] = read('JPART0', 1, [2]);
  const [a, z] = id === HEAVY_ION_ID ? read('HIPROJ', 2, [12, 6]) : [];
  const species = findSpecies({ pdg: findPdgNumber({ id, a, z }, 'shieldhit') });
  if (species === undefined) {
    faults.refuse(BEAM_FILE, byKeyword.get('JPART0')?.line, `no particle has the number ${id}`);
    return { name: 'proton', z: 1, a: 1 };
  }
  return { name: species.name, z: species.z, a: species.a };
}

/** One positive size is round. Signs tell the shape, as the writer of `BEAMSIGMA` says. */
function readShape([x = 0, y = x]: readonly number[], line: number | undefined, faults: DeckFaults): Beam['shape'] {
  if (x >= 0 && y >= 0) return { type: 'gaussian', sigmaXCm: x, sigmaYCm: y };
  if (x < 0 && y < 0) return { type: 'flat-square', halfXCm: -x, halfYCm: -y };
  if (y < 0) return { type: 'flat-circular', radiusCm: -y };
  faults.refuse(BEAM_FILE, line, 'BEAMSIGMA must not have a negative first and a positive second number');
  return { type: 'gaussian', sigmaXCm: 0, sigmaYCm: 0 };
}

function toDirection(thetaDeg: number, phiDeg: number): Vector {
  if (thetaDeg === 0) return [0, 0, 1];
  const [theta, phi] = [thetaDeg * RADIANS_PER_DEGREE, phiDeg * RADIANS_PER_DEGREE];
  return [Math.sin(theta) * Math.cos(phi), Math.sin(theta) * Math.sin(phi), Math.cos(theta)];
}

function describePhysics(read: ReadValues): Physics {
  const [energyLossFraction = 0.03] = read('DELTAE', 1, [0.03]);
  const [straggling = 2] = read('STRAGG', 1, [2]);
  const [scattering = 2] = read('MSCAT', 1, [2]);
  const [nuclear = 1] = read('NUCRE', 1, [1]);
  return {
    energyLossFraction,
    straggling: STRAGGLING[straggling] ?? 'vavilov',
    scattering: SCATTERING[scattering] ?? 'moliere',
    nuclearReactions: nuclear !== 0,
    stoppingPowerTable: OWN_TABLE.simA,
  };
}
