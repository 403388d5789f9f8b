import { describe, expect, it } from '@jest/globals';
import { BinaryWriter } from '../../../test/output/binary-writer.js';
import { fuzz } from '../../../test/output/mutate.js';
import {
  type Nuclei,
  writeOldHead,
  writeResnuclei,
  writeUsrbdx,
  writeUsrbin,
  writeUsrHead,
  writeUsrtrack,
  writeUsryield,
  writeYieldsHead,
} from '../../../test/output/usr-file.js';
import { createOutputReport } from '../../output/output-report.js';
import { readUsr } from './read-usr.js';

const grid = (low: number, high: number, bins: number) => ({ low, high, bins });
const GRIDS = [grid(-5, 5, 4), grid(-0.1, 0.1, 1), grid(0, 5, 4)];
const DATA = Array.from({ length: 16 }, (_, i) => i / 8);
const head = (cases = 20) => writeUsrHead(new BinaryWriter(), cases);
const usrbin = (values: Partial<Parameters<typeof writeUsrbin>[1]> = {}, writer = head()) =>
  writeUsrbin(writer, { name: 'dose_xz', type: 10, quantity: 208, grids: GRIDS, data: DATA, ...values });

function read(bytes: Uint8Array) {
  const report = createOutputReport();
  const { primaries, toPages } = readUsr(bytes, { fileName: 'fl_sim001_fort.21', file: '21', report });
  return { primaries, pages: toPages(primaries ?? 20), warnings: report.warnings() };
}

/** All binnings, and then for each event two records of each. */
function writeEvents(): Buffer {
  const whole = usrbin().bytes();
  const header = whole.subarray(head().bytes().length, whole.length - (16 * 4 + 8));
  const event = new BinaryWriter().record((payload) => payload.i32(1, 1).f32(1)).bytes();
  return Buffer.concat([head().bytes(), header, event, whole.subarray(-(16 * 4 + 8))]);
}

describe('a USRBIN file', () => {
  it('has the 302 bytes of the sample and reads as the table of its fields says', () => {
    const bytes = usrbin().bytes();
    expect(bytes).toHaveLength(302);
    const { primaries, pages } = read(bytes);
    expect(primaries).toBe(20);
    expect(pages[0]).toMatchObject({ file: '21', item: 'dose_xz', title: 'ENERGY', kind: 'linear', unit: 'MeV/cm^3' });
    expect(pages[0]?.axes).toEqual([
      { name: 'x', unit: 'cm', lower: -5, upper: 5, bins: 4, isLog: false },
      { name: 'y', unit: 'cm', lower: -0.1, upper: 0.1, bins: 1, isLog: false },
      { name: 'z', unit: 'cm', lower: 0, upper: 5, bins: 4, isLog: false },
    ]);
    // GeV/cm³ per primary, in a run of 20
    expect(pages[0]?.moments[0]).toEqual(Float64Array.from(DATA, (x) => 20 * 1000 * x));
    expect(pages[0]?.moments[1]).toEqual(Float64Array.from(DATA, (x) => 20 * (1000 * x) ** 2));
  });

  it.each([
    [228, 'DOSE', 'MeV/g', 1000],
    [201, 'FLUENCE ALL-PART', '/cm^2', 1],
    [8, 'FLUENCE NEUTRON', '/cm^2', 1],
    [-2, 'FLUENCE HEAVYION', '/cm^2', 1],
    [240, 'DOSE-EQ', 'pSv', 1],
  ])('of quantity %d is %s in %s', (quantity, title, unit, factor) => {
    const [page] = read(usrbin({ quantity, data: DATA.map(() => 0.5) }).bytes()).pages;
    expect(page).toMatchObject({ title, unit });
    expect(page?.moments[0]?.[3]).toBe(20 * 0.5 * factor);
  });

  it('reads cylinders with the angle all around, and regions without a volume', () => {
    const [cylinder, region] = [
      usrbin({ type: 11, grids: [grid(0, 2, 2), grid(7, 7, 1), grid(0, 8, 8)] }),
      usrbin({ type: 12, quantity: 228, grids: [grid(3, 4, 2), grid(0, 0, 1), grid(0, 0, 8)] }),
    ].map((writer) => read(writer.bytes()).pages[0]);
    expect(cylinder?.axes[1]).toMatchObject({ name: 'phi', lower: -Math.PI, upper: Math.PI, bins: 1 });
    expect(region).toMatchObject({ unit: 'MeV cm^3/g' });
    expect(region?.axes[0]).toMatchObject({ name: 'region', lower: 2.5, upper: 4.5, bins: 2 });
  });

  it.each([
    [3, 'STARS NEUTRON', 'stars/cm^3', ['x', 'y', 'z']],
    [7, 'STARS NEUTRON', 'stars/cm^3', ['r', 'phi', 'z']],
    [17, 'FLUENCE NEUTRON', '/cm^2', ['r', 'phi', 'z']],
    [12, 'FLUENCE NEUTRON', 'cm', ['region', 'second region', 'third region']],
    [8, 'STARS NEUTRON', 'stars', ['bin 1', 'bin 2', 'bin 3']],
    [19, 'FLUENCE NEUTRON', '/cm^2', ['bin 1', 'bin 2', 'bin 3']],
  ])('with binning %d has %s in %s over %p', (type, title, unit, names) => {
    const [page] = read(usrbin({ type, quantity: 8 }).bytes()).pages;
    expect(page).toMatchObject({ title, unit });
    expect(page?.axes.map(({ name }) => name)).toEqual(names);
  });

  it('shows a quantity without a name under its number, with a warning', () => {
    const { pages, warnings } = read(usrbin({ quantity: 777 }).bytes());
    expect(pages[0]).toMatchObject({ title: 'FLUENCE 777' });
    expect(warnings).toMatchObject([{ code: 'OUTPUT_UNNAMED', message: expect.stringContaining('777') }]);
  });

  it.each([
    ['big-endian', { isBigEndian: true }],
    ['with 64-bit lengths', { lengthBytes: 8 }],
    ['big-endian with 64-bit lengths', { isBigEndian: true, lengthBytes: 8 }],
  ] as const)('reads the same %s', (_, layout) => {
    const other = usrbin({}, writeUsrHead(new BinaryWriter(layout), 20)).bytes();
    expect(read(other)).toEqual(read(usrbin().bytes()));
  });

  it.each([
    ['nothing', [], undefined],
    ['cases', [7], 7],
    ['cases and batches', [7, 1], 7],
  ])('reads heads of old versions, which count %s', (_, counts, primaries) => {
    const file = read(usrbin({}, writeOldHead(new BinaryWriter(), ...counts)).bytes());
    expect(file).toMatchObject({ primaries, pages: [{ item: 'dose_xz' }] });
  });

  it('reads several detectors and counts of thousands of millions, and stops at merged statistics', () => {
    const writer = usrbin({ name: 'second' }, usrbin({}, head(2_000_000_005)));
    const bytes = writer.record((payload) => payload.text('STATISTICS', 14, ' ')).bytes();
    const { primaries, pages } = read(bytes);
    expect(primaries).toBe(2_000_000_005);
    expect(pages.map(({ item }) => item)).toEqual(['dose_xz', 'second']);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a head alone', head().bytes()],
    ['a head without primaries', new BinaryWriter().record((p) => p.text('', 116, ' ')).bytes()],
    ['fewer numbers than bins', usrbin({ data: [1] }).bytes()],
    ['an axis of no bins', usrbin({ grids: [grid(0, 1, 0), grid(0, 1, 1), grid(0, 1, 1)], data: [] }).bytes()],
    [
      'axes of 2^93 bins',
      usrbin({ grids: [grid(0, 1, 2 ** 31 - 1), grid(0, 1, 2 ** 31 - 1), grid(0, 1, 2 ** 31 - 1)] }).bytes(),
    ],
  ])('refuses %s', (_, bytes) => {
    expect(() => read(bytes)).toThrow(expect.objectContaining({ name: 'OutputError', reason: 'UNREADABLE' }));
  });

  it('refuses a file cut short at any byte', () => {
    const bytes = usrbin().bytes();
    for (let size = 0; size < bytes.length; size += 1) {
      expect(() => read(bytes.subarray(0, size))).toThrow(expect.objectContaining({ name: 'OutputError' }));
    }
  });

  it('says where a record is that is not as it should be', () => {
    expect(() => read(usrbin({ data: [1] }).bytes())).toThrow('record 3 (byte 230): has 4 bytes and not 16 numbers');
  });

  it.each([
    ['a printed file', Buffer.from('\f\n   *****  a title  *****\n\n 1\n   Cartesian binning n.   1  "dose_xz"')],
    ['records of something else', new BinaryWriter().record((dump) => dump.i32(1, 2, 3, 4, 5)).bytes()],
    [
      'records after a head that begin no detector',
      head()
        .record((dump) => dump.i32(1, 2))
        .bytes(),
    ],
    ['events one by one', writeEvents()],
  ])('refuses %s for good', (_, bytes) => {
    expect(() => read(bytes)).toThrow(expect.objectContaining({ reason: 'UNSUPPORTED' }));
  });

  it('leaves out what follows a detector and is none', () => {
    const writer = usrbin().record((dump) => dump.i32(1, 2));
    const { pages, warnings } = read(writer.record((rest) => rest.f32(1, 2)).bytes());
    expect(pages).toHaveLength(1);
    const message = expect.stringContaining('record 4 (byte 302) begins no detector');
    expect(warnings).toMatchObject([{ code: 'OUTPUT_LEFT_OUT', message }]);
  });

  it('counts the numbers of an estimator that has no name', () => {
    const other = (name: string) => (payload: BinaryWriter) => payload.i32(1).text(name, 10, ' ').i32(1, 2);
    const { pages, warnings } = read(
      head()
        .record(other('mine'))
        .record((data) => data.f32(1, 2, 3))
        .bytes(),
    );
    expect(pages).toMatchObject([{ item: 'mine', unit: '1', axes: [{ name: 'bin', bins: 3, lower: 0.5 }] }]);
    expect(warnings).toMatchObject([{ code: 'OUTPUT_UNNAMED' }]);
  });
});

describe('USRTRACK and USRBDX', () => {
  it('are per MeV, over energies in MeV', () => {
    const track = { name: 'track', type: -1, volume: 2, grid: grid(0.001, 1, 3), data: [1, 2, 4] };
    const [page] = read(writeUsrtrack(head(), track).bytes()).pages;
    expect(page).toMatchObject({ item: 'track', unit: '/cm^2', differentialAxes: 1 });
    expect(page?.axes).toEqual([{ name: 'E', unit: 'MeV', lower: 1, upper: 1000, bins: 3, isLog: true }]);
    expect(page?.moments[0]).toEqual(Float64Array.of(0.02, 0.04, 0.08));
  });

  it('have energies fastest and angles behind them', () => {
    const boundary = { name: 'bdx', type: 1, energy: grid(0, 0.2, 2), angle: grid(0, 6, 3), data: [1, 2, 3, 4, 5, 6] };
    const [page] = read(writeUsrbdx(head(), boundary).bytes()).pages;
    expect(page?.axes.map(({ name, unit, bins }) => [name, unit, bins])).toEqual([
      ['E', 'MeV', 2],
      ['ANGLE', 'sr', 3],
    ]);
  });
});

describe('other estimators', () => {
  it('USRBDX says whether it is fluence or current, and energies are per energy', () => {
    const boundary = { name: 'bdx', type: 1, energy: grid(0, 0.2, 1), angle: grid(0, 6, 1), data: [2] };
    const [fluence] = read(writeUsrbdx(head(), boundary).bytes()).pages;
    expect(fluence).toMatchObject({ title: 'FLUENCE NEUTRON', unit: '/cm^2' });
    expect(fluence?.moments[0]?.[0]).toBeCloseTo(20 * 0.002, 9);
    const [energy] = read(writeUsrbdx(head(), { ...boundary, particle: 208, isCurrent: true }).bytes()).pages;
    expect(energy).toMatchObject({ title: 'CURRENT ENERGY', unit: 'MeV/cm^2' });
    expect(energy?.moments[0]).toEqual(Float64Array.of(40));
  });

  it('a spectrum whose limits are no places is read: its bins are counted when it is shown', () => {
    const track = { name: 'track', type: -1, volume: 2, grid: grid(0, 0, 2), data: [1, 2] };
    expect(read(writeUsrtrack(head(), track).bytes()).pages[0]?.axes).toMatchObject([{ lower: 0, upper: 0, bins: 2 }]);
  });

  it.each([
    [1403, { name: 'rapidity', unit: '1', lower: 0, upper: 2, isLog: false }],
    [1401, { name: 'E', unit: 'MeV', lower: 0, upper: 2000, isLog: false }],
    [1399, { name: 'E', unit: 'MeV', isLog: true }],
    [-1402, { name: 'momentum', unit: 'GeV/c', isLog: true }],
    [1437, { name: 'variable 37', unit: '1' }],
  ])('USRYIELD %d has the variable of its card', (variables, axis) => {
    const yielded = { name: 'yield', variables, grid: grid(0, 2, 2), data: [1, 2] };
    const { pages, warnings } = read(writeUsryield(writeYieldsHead(head()), yielded).bytes());
    expect(pages).toMatchObject([{ item: 'yield', title: 'YIELD NEUTRON', unit: '1', axes: [axis] }]);
    expect(pages[0]?.moments[0]).toEqual(Float64Array.of(20, 40));
    expect(warnings).toMatchObject([{ code: 'OUTPUT_UNNAMED', message: expect.stringContaining('yield') }]);
  });

  const nuclei: Nuclei = { name: 'nuclei', volume: 2, charges: 2, excesses: 3, lowest: -5, data: [1, 2, 3, 4, 5, 6] };

  it('RESNUCLEi has charges fastest, and N − Z from one above the lowest on', () => {
    const [page] = read(writeResnuclei(head(), nuclei).bytes()).pages;
    expect(page).toMatchObject({ item: 'nuclei', title: 'RESNUCLEI', unit: 'nuclei/cm^3' });
    expect(page?.axes).toMatchObject([
      { name: 'Z', lower: 0.5, upper: 2.5, bins: 2 },
      { name: 'N-Z', lower: -4.5, upper: -1.5, bins: 3 },
    ]);
    expect(page?.moments[0]).toEqual(Float64Array.of(20, 40, 60, 80, 100, 120));
  });

  it('RESNUCLEi after an irradiation is read, and isomers are left out', () => {
    const decaying = writeOldHead(new BinaryWriter(), -7, 1).record((irradiation) => irradiation.i32(1).f32(60, 1e9));
    const writer = writeResnuclei(decaying, { ...nuclei, after: 3600 });
    const bytes = writer
      .record((word) => word.text('ISOMERS:', 10, ' ').i32(2))
      .record((isomers) => isomers.f32(1, 2))
      .bytes();
    const { primaries, pages, warnings } = read(bytes);
    expect(primaries).toBe(7);
    expect(pages).toHaveLength(1);
    expect(warnings).toMatchObject([{ code: 'OUTPUT_LEFT_OUT', message: expect.stringContaining('isomers') }]);
  });
});

describe('groups of low-energy neutrons', () => {
  // three groups: 1e-11 to 1e-6, to 0.001, to 0.02 GeV; bins of 10 MeV, of which two lie below the upper limit
  const GROUPS = [0.02, 0.001, 1e-6, 1e-11];
  const energy = grid(0, 0.04, 4);
  const near = (numbers: readonly number[]) => numbers.map((number) => expect.closeTo(number, 6));

  it('are the lower part of a spectrum of neutrons: the groups from the lowest on, then the bins above them', () => {
    const track = { name: 'n', type: 1, volume: 2, particle: 8, groups: GROUPS, grid: energy };
    const [page, ...others] = read(writeUsrtrack(head(), { ...track, data: [0, 0, 3, 4, 10, 20, 30] }).bytes()).pages;
    expect(others).toEqual([]);
    expect(page).toMatchObject({ item: 'n', title: 'FLUENCE NEUTRON', unit: '/cm^2', differentialAxes: 1 });
    expect(page?.axes[0]).toMatchObject({
      name: 'E',
      unit: 'MeV',
      bins: 5,
      borders: near([1e-8, 1e-3, 1, 20, 30, 40]),
    });
    expect([...(page?.moments[0] ?? [])]).toEqual(near([30, 20, 10, 3, 4].map((value) => (20 * value) / 1000)));
  });

  it('begin a bin where they end when it straddles their limit, and leave bins below it out', () => {
    const track = { name: 'n', type: 1, volume: 1, particle: 8, groups: GROUPS, grid: grid(0, 0.045, 3) };
    const [page] = read(writeUsrtrack(head(), { ...track, data: [9, 2, 3, 10, 20, 30] }).bytes()).pages;
    expect(page?.axes[0]).toMatchObject({ bins: 5, borders: near([1e-8, 1e-3, 1, 20, 30, 45]) });
    expect([...(page?.moments[0] ?? [])]).toEqual(near([30, 20, 10, 2, 3].map((value) => (20 * value) / 1000)));
  });

  it('are a page beside that of the other particles where those are scored with them', () => {
    const track = { name: 'all', type: 1, volume: 2, groups: GROUPS, grid: energy, data: [1, 2, 3, 4, 10, 20, 30] };
    const { pages } = read(writeUsrtrack(head(), track).bytes());
    expect(pages.map(({ item, title }) => [item, title])).toEqual([
      ['all', 'FLUENCE ALL-PART without neutrons below 20 MeV'],
      ['all neutrons', 'FLUENCE NEUTRON below 20 MeV'],
    ]);
    expect(pages.map(({ axes }) => axes[0]?.bins)).toEqual([4, 3]);
    expect([...(pages[0]?.moments[0] ?? [])]).toEqual(near([1, 2, 3, 4].map((value) => value / 50)));
    expect([...(pages[1]?.moments[0] ?? [])]).toEqual(near([30, 20, 10].map((value) => value / 50)));
  });

  it('are alone where the spectrum ends below their limit', () => {
    const track = { name: 'n', type: 1, volume: 2, groups: GROUPS, grid: grid(0, 0.01, 0), data: [10, 20, 30] };
    const all = read(writeUsrtrack(head(), track).bytes()).pages;
    expect(all.map(({ item, axes }) => [item, axes[0]?.bins])).toEqual([['n neutrons', 3]]);
    const neutrons = read(writeUsrtrack(head(), { ...track, particle: 8 }).bytes()).pages;
    expect(neutrons.map(({ item, axes }) => [item, axes[0]?.bins])).toEqual([['n', 3]]);
  });

  it('may be none at all', () => {
    const track = { name: 'n', type: 1, volume: 2, groups: [0.02], grid: energy, data: [1, 2, 3, 4] };
    const { pages } = read(writeUsrtrack(head(), track).bytes());
    expect(pages.map(({ item, axes }) => [item, axes[0]?.bins])).toEqual([['n', 4]]);
  });

  it('are there for every angle of a boundary', () => {
    const boundary = { name: 'bdx', type: 1, groups: [0.02, 1e-11], energy, angle: grid(0, 6, 2) };
    const [page] = read(writeUsrbdx(head(), { ...boundary, data: [0, 0, 3, 4, 10, 0, 0, 5, 6, 20] }).bytes()).pages;
    expect(page?.axes.map(({ name, bins }) => [name, bins])).toEqual([
      ['E', 3],
      ['ANGLE', 2],
    ]);
    expect([...(page?.moments[0] ?? [])]).toEqual(near([10, 3, 4, 20, 5, 6].map((value) => value / 50)));
  });

  it.each([
    ['in a wrong order', [0.001, 0.02, 1e-11], [1, 2, 3, 4, 5, 6]],
    ['below zero', [0.02, -1], [1, 2, 3, 4, 5]],
    ['with too few numbers behind them', [0.02, 1e-11], [1, 2, 3, 4]],
  ])('are refused %s', (_, groups, data) => {
    const track = { name: 'n', type: 1, volume: 1, particle: 8, groups, grid: energy, data };
    expect(() => read(writeUsrtrack(head(), track).bytes())).toThrow(expect.objectContaining({ reason: 'UNREADABLE' }));
  });
});

describe('any of these files', () => {
  it('survives 100 000 mutations without a crash, a hang or memory for what is not there', () => {
    const writer = writeUsrbdx(usrbin(), {
      name: 'b',
      type: -2,
      energy: grid(0.1, 1, 2),
      angle: grid(1, 2, 2),
      data: [1, 2, 3, 4],
    });
    const groups = [0.02, 0.001, 1e-11];
    const seeds = [
      usrbin().bytes(),
      writeUsrtrack(head(), {
        name: 'n',
        type: 1,
        volume: 1,
        particle: 8,
        groups,
        grid: grid(0, 1, 2),
        data: [1, 2, 3, 4],
      }).bytes(),
      writeResnuclei(head(), { name: 'r', volume: 1, charges: 2, excesses: 1, lowest: -5, data: [1, 2] }).bytes(),
      writeUsrtrack(writer, { name: 't', type: -1, volume: 1, grid: grid(0.1, 1, 2), data: [1, 2] }).bytes(),
    ];
    const before = process.memoryUsage().rss;
    const report = fuzz(seeds, 100_000, read);
    expect(Math.min(report.read, report.refused)).toBeGreaterThan(1000);
    expect(report.slowestMs).toBeLessThan(10_000); // hostile text takes hours where reading is quadratic
    expect(process.memoryUsage().rss - before).toBeLessThan(500e6);
  });
});
