import { describe, expect, it } from '@jest/globals';
import { type BdoAxis, type BdoFile, buildBdo, buildBdo2016, buildBin2010, type OldBdoFile } from '../../../test/output/bdo-file.js'; // biome-ignore format: one line
import { fuzz } from '../../../test/output/mutate.js';
import { createOutputReport } from '../../output/output-report.js';
import { readBdo } from './read-bdo.js';

const MESH = { primaries: 200, geometry: 'MSH', start: [-1, -1, 0], stop: [1, 1, 6], bins: [1, 2, 3] };
const DATA = [1, 2, 3, 4, 5, 6];
const page = (values: Partial<BdoFile['pages'][number]> = {}) => ({
  type: 5,
  number: 0,
  normalisation: 2,
  unit: 'MeV/g',
  data: DATA,
  ...values,
});
const phaseSpace = (data: readonly number[]) => page({ type: 63, normalisation: 4, unit: '', data });
const fileOf = (...pages: BdoFile['pages']) => buildBdo({ ...MESH, pages });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

function read(bytes: Uint8Array) {
  const report = createOutputReport();
  const file = readBdo(bytes, { fileName: 'dose.bdo', file: 'dose', report });
  return { ...file, warnings: report.warnings() };
}
/** The one page of a file of nothing else. */
function readPage(bytes: Uint8Array) {
  const { pages, warnings } = read(bytes);
  const [only] = pages;
  if (only === undefined || pages.length > 1) throw new Error('not one page');
  return { ...only, warnings };
}

describe('a BDO2019 file', () => {
  it('gives primaries, axes and numbers in their order, by the table of its items', () => {
    const { primaries, pages, warnings } = read(fileOf(page()));
    expect(primaries).toBe(200);
    expect(warnings).toEqual([]);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatchObject({ file: 'dose', item: '0', title: 'DOSE', kind: 'linear', unit: 'MeV/g' });
    expect(pages[0]?.axes).toEqual([
      { name: 'x', unit: 'cm', lower: -1, upper: 1, bins: 1, isLog: false },
      { name: 'y', unit: 'cm', lower: -1, upper: 1, bins: 2, isLog: false },
      { name: 'z', unit: 'cm', lower: 0, upper: 6, bins: 3, isLog: false },
    ]);
    expect(pages[0]?.moments).toEqual([Float64Array.from(DATA), Float64Array.from(DATA, (x) => (x * x) / 200)]);
  });

  it('is the same to the byte as the layout says', () => {
    const bytes = buildBdo({ ...MESH, bins: [1, 1, 1], pages: [page({ data: [7] })] });
    expect(bytes.subarray(0, 24).toString('latin1')).toBe(`xSH12AII1.1${'\0'.repeat(13)}`);
    expect(bytes.subarray(-32).toString('hex')).toBe(
      ['bbdd000000000000', '3c66380000000000', '0100000000000000', '0000000000001c40'].join(''),
    );
  });

  it.each([
    [0, 'map'],
    [1, 'counter'],
    [2, 'linear'],
    [3, 'average'],
  ])('of normalisation %d combines as %s', (normalisation, kind) => {
    expect(readPage(fileOf(page({ normalisation }))).kind).toBe(kind);
  });

  it.each([
    [20, 'map'],
    [55, 'counter'],
    [5, 'linear'],
    [6, 'average'],
  ])('without a normalisation combines as its quantity %d does', (type, kind) => {
    const { normalisation: _, ...rest } = page({ type });
    expect(readPage(fileOf(rest)).kind).toBe(kind);
  });

  it('says which filter a page has', () => {
    expect(readPage(fileOf(page({ type: 2, filter: 'Protons' }))).title).toBe('FLUENCE (Protons)');
  });

  it('has maps alone for nothing simulated', () => {
    const map = page({ type: 20, normalisation: 0 });
    expect(read(buildBdo({ ...MESH, primaries: 0, pages: [map] })).primaries).toBeUndefined();
  });

  it('has zones numbered as the file does', () => {
    const zones = { ...MESH, geometry: 'ZONE', bins: [3, 1, 1], pages: [page({ data: [1, 2, 3] })] };
    expect(readPage(buildBdo(zones)).axes).toMatchObject([{ name: 'zone', unit: '1', lower: 0.5, upper: 3.5 }]);
    expect(readPage(buildBdo({ ...zones, zones: [2, 5, 9] })).axes).toMatchObject([{ bins: 3, centers: [2, 5, 9] }]);
  });

  it('has angles of cylinders in radians, and lengths in the units of the file', () => {
    const cylinder = { ...MESH, geometry: 'CYL', pages: [page()] };
    expect(readPage(buildBdo(cylinder)).axes.map(({ name, unit }) => [name, unit])).toEqual([
      ['r', 'cm'],
      ['phi', 'rad'],
      ['z', 'cm'],
    ]);
    expect(readPage(buildBdo({ ...MESH, axisUnits: 'cm;mm;m', pages: [page()] })).axes.map(({ unit }) => unit)).toEqual(['cm', 'mm', 'm']); // biome-ignore format: one line
  });

  it('has unequal steps along z as its borders say', () => {
    const { axes } = readPage(buildBdo({ ...MESH, grid: [0, 1, 3, 6], pages: [page()] }));
    expect(axes[2]).toMatchObject({ name: 'z', lower: 0, upper: 6, bins: 3, borders: [0, 1, 3, 6] });
  });
});

describe('differential axes', () => {
  const E: BdoAxis = { type: 27, unit: 'MeV', lower: 1, upper: 100, bins: 2, isLog: false };
  const ANGLE: BdoAxis = { type: 25, unit: 'deg', lower: 0, upper: 90, bins: 3, isLog: false };
  const axesOf = (differential: readonly BdoAxis[]) => {
    const bins = differential.reduce((product, axis) => product * axis.bins, 6);
    const unit = { unit: '/cm^2', unitId: 14 };
    return readPage(fileOf(page({ type: 2, differential, ...unit, data: numbers(bins) }))).axes.slice(3);
  };
  const shown = ({ unit, lower, upper, bins, isLog }: BdoAxis, name: string) => ({
    name,
    unit,
    lower,
    upper,
    bins,
    isLog,
  });

  it.each([false, true])('of one kind are one, although the file has entries for two (log: %s)', (isLog) => {
    expect(axesOf([{ ...E, isLog }])).toEqual([shown({ ...E, isLog }, 'E')]);
  });

  it('of one bin are axes all the same', () => {
    expect(axesOf([{ ...E, bins: 1 }])).toEqual([shown({ ...E, bins: 1 }, 'E')]);
  });

  it.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])('of two kinds are named by their units, as types are repeated (log: %s, %s)', (first, second) => {
    const angle = { ...ANGLE, lower: 1, isLog: second };
    expect(axesOf([{ ...E, isLog: first }, angle])).toEqual([
      shown({ ...E, isLog: first }, 'E'),
      shown(angle, 'ANGLE'),
    ]);
  });

  it.each([
    [28, 'MeV/nucleon', 'ENUC', 'MeV/nucl'],
    [29, 'MeV/amu', 'EAMU', 'MeV/amu'],
    [35, 'MeV/cm', 'DEDX', 'MeV/cm'],
    [36, 'MeV cm^2/g', 'MDEDX', 'MeV cm^2/g'],
    [37, 'cm', 'TL', 'cm'],
    [25, 'deg', 'ANGLE', 'deg'],
  ])('of type %d in %s are %s', (type, text, name, unit) => {
    const axis = { ...E, type, unit: text };
    expect(axesOf([axis])[0]).toMatchObject({ name, unit });
    expect(axesOf([ANGLE, axis])[1]).toMatchObject({ name: name === 'ANGLE' ? 'ANGLE' : name, unit });
  });

  it('without a unit are named where the type is their own, and else have no name', () => {
    const z = { ...E, type: 50, unit: '' };
    expect(axesOf([z])[0]).toMatchObject({ name: 'Z', unit: '1' });
    expect(axesOf([E, z])[1]).toMatchObject({ name: '', unit: '1' });
  });
});

describe('what a BDO file does not say is shown with a warning', () => {
  it.each([
    ['a quantity that is not known', page({ type: 99 }), { title: 'TYPE-99' }, /quantity of number 99/],
    ['a unit that is not known', page({ unit: '', unitId: 77 }), { unit: '1' }, /unit of number 77/],
    ['a normalisation that is not known', page({ normalisation: 9 }), { kind: 'average' }, /normalisation 9/],
    ['numbers that are not those of the axes', page({ data: [1, 2] }), { axes: [{ name: 'bin', bins: 2 }] }, /2 numbers and axes of 6 bins/], // biome-ignore format: one line
    ['records that are no phase space', page({ normalisation: 4 }), { kind: 'list', recordCount: 6 }, /no phase space/],
    ['a particle that is not whole', phaseSpace(numbers(11)), { kind: 'list', recordCount: 1 }, /last particle/],
  ])('%s', (_, given, expected, message) => {
    const { warnings, ...only } = readPage(fileOf(given));
    expect(only).toMatchObject(expected);
    expect(warnings).toMatchObject([{ message: expect.stringMatching(message) }]);
  });

  it.each([
    ['a geometry that is not known', { geometry: 'BALL' }, /geometry "BALL"/],
    ['a grid that does not fit its bins', { grid: [0, 1] }, /grid of 2 numbers for 3 bins/],
    ['a factor per particle', { rescale: 2 }, /factor of 2/],
  ])('%s', (_, change, message) => {
    const { warnings, axes } = readPage(buildBdo({ ...MESH, ...change, pages: [page()] }));
    expect(axes.map(({ bins }) => bins)).toEqual([1, 2, 3]);
    expect(warnings).toMatchObject([{ message: expect.stringMatching(message) }]);
  });
});

describe.each([
  ['BDO2016', buildBdo2016],
  ['2010', buildBin2010],
])('a file of the format %s', (_, build) => {
  const OLD: OldBdoFile = { ...MESH, type: 5, data: DATA };

  it('has one page, first axis fastest, of sums over primaries', () => {
    const { primaries, pages, warnings } = read(build(OLD));
    expect([primaries, warnings]).toEqual([200, []]);
    expect(pages).toMatchObject([{ item: '0', title: 'DOSE', kind: 'linear', unit: 'MeV/g', isPerPrimary: true }]);
    expect(pages[0]?.axes.map(({ name, bins }) => [name, bins])).toEqual([
      ['x', 1],
      ['y', 2],
      ['z', 3],
    ]);
    expect(pages[0]?.moments[0]).toEqual(Float64Array.from(DATA));
  });

  it('has averages, and maps that nothing need be simulated for', () => {
    expect(readPage(build({ ...OLD, type: 6 }))).toMatchObject({ kind: 'average', unit: 'keV/um' });
    const map = read(build({ ...OLD, type: 20, primaries: 1, geometry: 'GEOMAP' }));
    expect(map).toMatchObject({ primaries: undefined, pages: [{ kind: 'map', unit: 'g/cm^3' }] });
  });

  it('says which particle was scored', () => {
    expect(readPage(build({ ...OLD, type: 2, particle: 2 })).title).toBe('FLUENCE (proton)');
    expect(readPage(build({ ...OLD, type: 2, particle: 99 })).title).toBe('FLUENCE (particle 99)');
  });

  it('numbers zones from the first that is scored, and does not divide by their volume', () => {
    const zones = { ...OLD, geometry: 'ZONE', bins: [3, 1, 1], zone: 4, data: [1, 2, 3] };
    expect(readPage(build(zones))).toMatchObject({ unit: 'MeV', axes: [{ name: 'zone', lower: 3.5, upper: 6.5 }] });
  });

  it('has its logarithmic axes in negative numbers of bins', () => {
    const { axes } = readPage(build({ ...OLD, start: [1, 1, 1], bins: [1, 2, -3] }));
    expect(axes[2]).toMatchObject({ bins: 3, isLog: true });
  });

  it('has a differential axis last, wherever it stands in the file', () => {
    const differential = { type: 3, lower: 0.1, upper: 3, bins: -2 };
    const { axes, moments, warnings } = readPage(
      build({ ...OLD, geometry: 'DMSH', bins: [2, 1, 3], differential, data: numbers(12) }),
    );
    expect(axes[3]).toEqual({ name: 'ANGLE', unit: 'rad', lower: 0.1, upper: 3, bins: 2, isLog: true });
    // x fastest, then the angle in place of y, then z
    expect([...(moments[0] ?? [])]).toEqual([1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12]);
    expect(warnings).toMatchObject([{ code: 'OUTPUT_ASSUMED' }]);
  });

  it('is refused when it is cut short at any byte', () => {
    const bytes = build(OLD);
    for (let size = 0; size < bytes.length; size += 1) {
      expect(() => read(bytes.subarray(0, size))).toThrow(expect.objectContaining({ reason: 'UNREADABLE' }));
    }
  });

  it('survives 30 000 mutations', () => {
    const report = fuzz([build(OLD), build({ ...OLD, geometry: 'DMSH', data: numbers(6) })], 30_000, read);
    expect(Math.min(report.read, report.refused)).toBeGreaterThan(1000);
  });
});

describe('a file that the simulator does not write', () => {
  it.each([
    ['nothing', Buffer.alloc(0), /dose.bdo: begins neither with xSH12A/],
    ['another file', Buffer.from('<html>not found</html>'), /begins neither with xSH12A/],
    ['items alone', fileOf(), /it has 0 pages of 1/],
    ['a file with fewer pages than it says', buildBdo({ ...MESH, pages: [page()], pageCount: 2 }), /cut short at byte \d+: it has 1 pages of 2/], // biome-ignore format: one line
    ['a file without primaries', buildBdo({ ...MESH, primaries: 0, pages: [page()] }), /stands for 0 primaries/],
    ['another byte order', Buffer.concat([Buffer.from('xSH12AXX'), fileOf(page()).subarray(8)]), /byte 6 the byte order "XX"/], // biome-ignore format: one line
  ])('is refused: %s', (_, bytes, message) => {
    expect(() => read(bytes)).toThrow(expect.objectContaining({ name: 'OutputError', reason: 'UNREADABLE' }));
    expect(() => read(bytes)).toThrow(message);
  });

  it('says where an item is broken', () => {
    const bytes = fileOf(page());
    const at = bytes.indexOf('<f8', bytes.length - 100);
    bytes.write('?', at);
    expect(() => read(bytes)).toThrow(/^dose\.bdo: has before byte \d+ data of the type "\?f8", not <f8$/);
  });

  it('is refused when it is cut short at any byte', () => {
    const bytes = fileOf(page(), page({ number: 1 }));
    for (let size = 0; size < bytes.length; size += 1) {
      expect(() => read(bytes.subarray(0, size))).toThrow(expect.objectContaining({ name: 'OutputError' }));
    }
  });

  it('is refused when it has more particles than bytes', () => {
    const bytes = fileOf(phaseSpace(numbers(16)));
    const countAt = bytes.length - 16 * 8 - 8;
    expect(bytes.readBigUInt64LE(countAt)).toBe(16n);
    bytes.writeBigUInt64LE(2n ** 40n, countAt);
    expect(() => read(bytes)).toThrow(/cut short: \d+ bytes are missing at byte/);
  });

  it('survives 100 000 mutations without a crash, a hang or memory for what is not there', () => {
    const differential = [{ type: 27, unit: 'MeV', lower: 1, upper: 100, bins: 2, isLog: true }];
    const seeds = [
      fileOf(page()),
      fileOf(page({ differential, data: [...DATA, ...DATA] }), page({ number: 1 })),
      fileOf(phaseSpace(numbers(24))),
    ];
    const before = process.memoryUsage().rss;
    const report = fuzz(seeds, 100_000, read);
    expect(Math.min(report.read, report.refused)).toBeGreaterThan(1000);
    expect(report.slowestMs).toBeLessThan(10_000); // hostile text takes hours where reading is quadratic
    expect(process.memoryUsage().rss - before).toBeLessThan(500e6);
  });
});

describe('phase space', () => {
  it('is particles of eight numbers, as many as there are, none too', () => {
    const data = Array.from({ length: 24 }, (_, index) => index / 7);
    const { pages } = read(fileOf(page(), phaseSpace(data), phaseSpace([])));
    expect(pages[1]).toMatchObject({ title: 'MCPL', kind: 'list', unit: '', recordCount: 3, isPerPrimary: false });
    expect(pages[1]?.axes).toMatchObject([{ name: 'column', bins: 8 }]);
    expect(pages[1]?.moments).toEqual([Float64Array.from(data)]);
    expect(pages[2]).toMatchObject({ kind: 'list', recordCount: 0, moments: [new Float64Array(0)] });
  });
});
