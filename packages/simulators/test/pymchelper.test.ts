import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mergePage } from '@tally/merge';
import { findPythonTool } from '@tally/testkit';
import type { DeckFiles, SimulatorDriver } from '../src/driver.js';
import type { NativeAxis, NativePage } from '../src/output/native-page.js';
import { createOutputReport } from '../src/output/output-report.js';
import { toTaskOutput } from '../src/output/task-pages.js';
import { TextReader } from '../src/output/text-reader.js';
import { readProject } from '../src/project/read-project.js';
import { readBdo } from '../src/sim-a/output/read-bdo.js';
import { createSimADriver } from '../src/sim-a/sim-a-driver.js';
import { readUsr } from '../src/sim-b/output/read-usr.js';
import { createSimBDriver } from '../src/sim-b/sim-b-driver.js';
import { readScorer } from '../src/sim-d/output/read-scorer.js';
import { createSimDDriver } from '../src/sim-d/sim-d-driver.js';
import { GOLDEN_PROJECTS } from './golden/projects.js';
import { buildBdo, buildBdo2016, buildBin2010 } from './output/bdo-file.js';
import { BinaryWriter } from './output/binary-writer.js';
import { writeScorer } from './output/scorer-file.js';
import { writeUsrbdx, writeUsrbin, writeUsrHead, writeUsrtrack } from './output/usr-file.js';
import { type ForeignAxis, type ForeignFile, readWithPymchelper } from './python/read-with-pymchelper.js';

const pymchelper = findPythonTool('pymchelper');
const TESTKIT = path.join(import.meta.dirname, '../../testkit');
const STAND_INS = path.join(TESTKIT, 'src/stand-ins');
const TSX = pathToFileURL(createRequire(path.join(TESTKIT, 'package.json')).resolve('tsx')).href;
const PRECISION = 1e-9;
/** They are rounded to 32 bits in some files. */
const LIMIT_PRECISION = 1e-6;
const MEV_PER_GEV = 1000;
const PRIMARIES = 20;
/** pymchelper's names of our units; where it has none, it does not name the unit. */
const UNITS: ReadonlyMap<string, string> = new Map([
  ['cm^-2', '/cm^2'],
  ['MeV/nucleon', 'MeV/nucl'],
  ['(dimensionless)', '1'],
]);

interface NativeFile {
  readonly primaries: number;
  readonly pages: readonly NativePage[];
  /** Energies and densities in them are in GeV for pymchelper. */
  readonly isPerGev?: boolean;
}

type Reader = (bytes: Uint8Array, theirs: ForeignFile) => NativeFile;

const report = createOutputReport();
const context = (file: string) => ({ fileName: file, file, report });
const readA: Reader = (bytes, theirs) => {
  const { primaries = theirs.primaries, pages } = readBdo(bytes, context('estimator.bdo'));
  return { primaries, pages };
};
const readB: Reader = (bytes) => {
  const { primaries = 0, toPages } = readUsr(bytes, context('mine001_fort.21'));
  return { primaries, pages: toPages(primaries), isPerGev: true };
};
/** Its files do not say how many histories they are of; without the deck pymchelper does not know either. */
const readD: Reader = (bytes, { primaries }) => {
  const reader = new TextReader(bytes, 'scorer.csv');
  const count = primaries || PRIMARIES;
  return { primaries, pages: readScorer(reader, { file: 'scorer', primaries: count, events: count, report }).pages };
};

/** Everything in which a file is another one to us than to pymchelper. */
function differencesOf({ primaries, pages, isPerGev = false }: NativeFile, theirs: ForeignFile): string[] {
  const found: string[] = [];
  const compare = (what: string, ours: unknown, other: unknown): void => {
    if (ours !== other) found.push(`${what}: ${String(ours)} and not ${String(other)}`);
  };
  compare('primaries', primaries, theirs.primaries);
  compare('pages', pages.length, theirs.pages.length);
  for (const [index, page] of pages.entries()) {
    const other = theirs.pages[index];
    if (other === undefined) break;
    const places = page.axes.slice(0, page.axes.length - page.differentialAxes);
    const others = page.axes.slice(places.length);
    const scale = isPerGev && others.length > 0 ? MEV_PER_GEV : 1;
    const unit = other.unit.replace(/\/prim(?:ary)?$/, '');
    if (unit !== '' && !isPerGev) compare('unit', page.unit, UNITS.get(unit) ?? unit);
    if (page.kind !== 'list') {
      found.push(...differingAxes(places, theirs.axes), ...differingAxes(others, other.axes));
    }
    const values = valuesOf(page, primaries || PRIMARIES);
    compare('bins', values.length, other.values.length);
    const bin = values.findIndex((value, at) => !isNear(value * scale, other.values[at] ?? Number.NaN));
    if (bin !== -1) found.push(`bin ${bin}: ${values[bin]} and not ${other.values[bin]}`);
  }
  return found;
}

/** Those of several bins: of others neither of us has limits that mean anything. */
function differingAxes(ours: readonly NativeAxis[], theirs: readonly ForeignAxis[]): string[] {
  const ownAxes = ours.filter(({ bins }) => bins > 1);
  const otherAxes = theirs.filter(({ bins }) => bins > 1);
  if (ownAxes.length !== otherAxes.length) return [`${ownAxes.length} axes and not ${otherAxes.length}`];
  return ownAxes.flatMap((axis, index): string[] => {
    const other = otherAxes[index];
    // zones are the first and the last of them to pymchelper
    const half = axis.name === 'zone' ? 0.5 : 0;
    const scale = other?.unit === 'GeV' ? MEV_PER_GEV : 1;
    const [lower, upper] = [(other?.lower ?? 0) * scale - half, (other?.upper ?? 0) * scale + half];
    const isSame = isNear(axis.lower, lower, LIMIT_PRECISION) && isNear(axis.upper, upper, LIMIT_PRECISION);
    return isSame && axis.bins === other?.bins && axis.isLog === other.isLog
      ? []
      : [`axis ${JSON.stringify(axis)} and not ${JSON.stringify(other)}`];
  });
}

/** As they are shown, but contents of bins undivided. */
function valuesOf(page: NativePage, primaries: number): Float64Array {
  const native = { engine: '', primaries, batches: 1, pages: [{ ...page, isIntegrated: false }], report };
  const [shown] = toTaskOutput(native, undefined).pages;
  if (shown === undefined) throw new Error('no page');
  return mergePage(shown, [{ primaries, batches: 1, moments: shown.moments }]).values;
}

function isNear(left: number, right: number, precision = PRECISION): boolean {
  return Math.abs(left - right) <= precision * Math.abs(right) || (Number.isNaN(left) && Number.isNaN(right));
}

const grid = (low: number, high: number, bins: number) => ({ low, high, bins });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => (index + 1) / 8);
const axis = (type: number, unit: string, lower: number, upper: number, bins: number, isLog = false) => ({
  type,
  unit,
  lower,
  upper,
  bins,
  isLog,
});

/** What our own fixtures look like to others. */
function writeFixtures(): Record<string, Uint8Array | string> {
  const mesh = { primaries: PRIMARIES, start: [-1, -1, 0], stop: [1, 1, 6], bins: [1, 2, 3] };
  const energy = axis(1, 'MeV', 0.01, 100, 2, true);
  const page = { type: 5, number: 0, normalisation: 2, unit: 'MeV/g', data: numbers(6) };
  const spectrum = { ...page, type: 2, number: 1, unit: '/cm^2', differential: [energy], data: numbers(12) };
  const twofold = { ...spectrum, number: 2, differential: [energy, axis(3, 'deg', 0, 180, 2)], data: numbers(24) };
  const average = { ...page, type: 6, number: 3, normalisation: 3, unit: 'keV/um' };
  const old = { ...mesh, geometry: 'MSH', type: 1, data: numbers(6) };
  const head = () => writeUsrHead(new BinaryWriter(), PRIMARIES);
  const usrbin = { name: 'dose', type: 10, quantity: 228, grids: [grid(-5, 5, 2), grid(0, 1, 1), grid(0, 5, 3)] };
  const scorer = {
    scorer: 'Dose',
    quantity: 'Fluence',
    unit: '/mm2',
    axes: ['X', 'Y', 'Z'].map((name, index) => ({ name, bins: index + 1, size: 2, unit: 'cm' })),
    mean: (cell: number, bin: number) => 1 + cell + bin / 64,
    primaries: PRIMARIES,
  };
  return {
    'mesh.bdo': buildBdo({ ...mesh, geometry: 'MSH', pages: [page, spectrum, twofold, average] }),
    'zones.bdo': buildBdo({ ...mesh, geometry: 'ZONE', start: [1, 1, 1], stop: [3, 0, 0], bins: [3, 1, 1], zones: [1, 2, 3], pages: [{ ...page, data: numbers(3) }] }), // biome-ignore format: one line
    '2016.bdo': buildBdo2016(old),
    '2010.bdo': buildBin2010(old),
    'usrbin_fort.21': writeUsrbin(head(), { ...usrbin, data: numbers(6) }).bytes(),
    'usrtrack_fort.22': writeUsrtrack(head(), { name: 't', type: -1, volume: 2, grid: grid(0.001, 1, 3), data: numbers(3) }).bytes(), // biome-ignore format: one line
    'usrbdx_fort.23': writeUsrbdx(head(), { name: 'b', type: 1, energy: grid(0, 1, 2), angle: grid(0, 6, 3), data: numbers(6) }).bytes(), // biome-ignore format: one line
    'dose.csv': writeScorer({ ...scorer, version: '3.9' }),
    'spectrum.csv': writeScorer({ ...scorer, version: '3.9', energy: { isIncident: true, bins: 2, minMev: 0, maxMev: 10 } }), // biome-ignore format: one line
  };
}

/** The files that a stand-in writes. */
function runStandIn(driver: SimulatorDriver, program: string, folder: string, deck: DeckFiles): string[] {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(deck)) writeFileSync(path.join(folder, name), text);
  const before = readdirSync(folder);
  const config = { executable: process.execPath, args: ['--import', TSX, path.join(STAND_INS, program)] };
  const { executable, args } = driver.command(config, folder, deck);
  const { status, stderr } = spawnSync(executable, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the stand-in ended with ${status}: ${stderr}`);
  const outputs = readdirSync(folder).filter(
    (name) => !before.includes(name) && /\.(?:bdo|csv)$|_fort\.\d+$/.test(name),
  );
  return outputs.map((name) => path.join(folder, name));
}

const reason = pymchelper === undefined ? ' (skipped: there is no pymchelper; npm test installs it where it can)' : '';

(pymchelper === undefined ? describe.skip : describe)(`pymchelper${reason}`, () => {
  const tool = pymchelper ?? { python: '', sources: '' };
  let folder = '';

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tally-pymchelper-'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Paths of files that differ, with how they do. */
  function compare(paths: readonly string[], read: (file: string) => Reader): Record<string, string[]> {
    const theirs = readWithPymchelper(tool, paths);
    const entries = paths.map((file, index): [string, string[]] => {
      const other = theirs[index];
      if (other === undefined) return [file, ['is not read by pymchelper']];
      return [file, differencesOf(read(file)(readFileSync(file), other), other)];
    });
    return Object.fromEntries(entries.filter(([, differences]) => differences.length > 0));
  }

  const readerOf = (file: string): Reader => (file.endsWith('.bdo') ? readA : file.endsWith('.csv') ? readD : readB);
  const listFiles = (root: string, isWanted: (name: string) => boolean): string[] =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(isWanted)
      .map((name) => path.join(root, name));

  it('agrees with us on every file of SHIELD-HIT12A that it brings', () => {
    const files = listFiles(tool.sources, (name) => name.endsWith('.bdo'));
    expect(files.length).toBeGreaterThan(1000);
    expect(compare(files, readerOf)).toEqual({});
  });

  it('agrees with us on every file of TOPAS that it brings', () => {
    const files = listFiles(tool.sources, (name) => /topas.*\.csv$/.test(name));
    expect(files.length).toBeGreaterThan(4);
    expect(compare(files, readerOf)).toEqual({});
  });

  it('agrees with us on every file of FLUKA that it brings', () => {
    const [mock = ''] = listFiles(tool.sources, (name) => name.endsWith('fluka_minimal/rfluka'));
    const outputs = [
      ...readFileSync(mock, 'utf8').matchAll(/OUTPUT_FILE_NAME_\d+="(.+)"\nOUTPUT_FILE_CONTENT_\d+="(.+)"/g),
    ];
    const files = outputs.map(([, name = '', content = '']) => {
      const file = path.join(folder, name);
      writeFileSync(file, Buffer.from(content, 'base64'));
      return file;
    });
    expect(files.length).toBeGreaterThan(1);
    expect(compare(files, readerOf)).toEqual({});
  });

  it('reads what our fixtures write, as we do', () => {
    const files = Object.entries(writeFixtures()).map(([name, content]) => {
      const file = path.join(folder, name);
      writeFileSync(file, content);
      return file;
    });
    expect(compare(files, readerOf)).toEqual({});
  });

  it.each([
    ['simA', createSimADriver, 'sim-a.ts', ['water-tank', 'detectors', 'spectrum']],
    ['simB', createSimBDriver, 'sim-b.ts', ['water-tank', 'detectors']],
    // it does not know spectra by the energy before a step
    ['simD', createSimDDriver, 'sim-d.ts', ['water-tank', 'detectors']],
  ] as const)('reads what the stand-in of %s writes, as we do', (simType, createDriver, program, projects) => {
    const driver = createDriver('stand-in');
    const files = projects.flatMap((name) => {
      const { files: deck } = driver.convert(readProject(GOLDEN_PROJECTS[name]));
      return runStandIn(driver, program, path.join(folder, simType, name), deck);
    });
    expect(files.length).toBeGreaterThan(2);
    expect(compare(files, readerOf)).toEqual({});
  });
});
