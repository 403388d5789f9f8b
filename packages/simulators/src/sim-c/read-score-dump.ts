import type { SourceAxis } from '../driver.js';
import { GrowingNumbers } from '../output/growing-numbers.js';
import { type NativePage, PAGES_MAX, reverseOrder } from '../output/native-page.js';
import type { TextReader } from '../output/text-reader.js';
import type { ScoreMeshes } from './read-score-meshes.js';

const MESH_LINE = /^# mesh name: (.+)$/;
const SCORER_LINE = /^# primitive scorer name: (.+)$/;
/** Values have been multiplied when they are written. */
const FACTOR_LINE = /^# multiplied factor : /;
const COLUMNS_LINE = /^# (i\w*), (i\w*), (i\w*), total\(value\)(?: \[(.*?)\])?, total\(val\^2\), entry$/;

/** Axes by their columns. Cylinders are written as Z, PHI, R; copies of a volume have axes without names. */
const AXES: ReadonlyMap<string, readonly string[]> = new Map([
  ['iX,iY,iZ', ['x', 'y', 'z']],
  ['iZ,iPHI,iR', ['z', 'phi', 'r']],
  ['i,i,i', ['copy', 'copy2', 'copy3']],
]);
const COLUMNS = 6;

/** Whether a text is such a dump: others may have the same ending. */
export function isScoreDump(firstLine: string | undefined): boolean {
  return firstLine !== undefined && MESH_LINE.test(firstLine);
}

/**
 * Reads a dump of a scoring mesh: one block a quantity, one row a cell with its indices, sum of values, sum of squares of
 * the values of histories, and entries. All cells are there, the last index fastest. The file has no positions: axes
 * count bins, unless the mesh is known.
 * @param file - `PageSource.file` of its pages
 * @throws OutputError `UNREADABLE`
 */
export function readScoreDump(reader: TextReader, file: string, meshes: ScoreMeshes = new Map()): NativePage[] {
  const [, mesh] = MESH_LINE.exec(reader.next() ?? '') ?? [];
  if (mesh === undefined) return reader.fail('is not the first line of a score dump');
  const known = meshes.get(mesh.trim());
  const pages: NativePage[] = [];
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    const [, item] = SCORER_LINE.exec(line) ?? [];
    if (item === undefined) reader.fail('is not the name of a scorer');
    else pages.push(placeCells(readBlock(reader, file, item), known));
    if (pages.length > PAGES_MAX) reader.fail(`is beyond ${PAGES_MAX} scorers`);
  }
  return pages.length === 0 ? reader.fail('is the last line, and no scorer follows') : pages;
}

/** The page on the axes of the mesh, if those are its bins. */
function placeCells(page: NativePage, axes: readonly SourceAxis[] | undefined): NativePage {
  const isSame = axes?.every(({ name, bins }, at) => name === page.axes[at]?.name && bins === page.axes[at].bins);
  return axes === undefined || isSame !== true ? page : { ...page, axes };
}

function readBlock(reader: TextReader, file: string, item: string): NativePage {
  let line = reader.next() ?? '';
  if (FACTOR_LINE.test(line)) line = reader.next() ?? '';
  const [, first = '', second = '', third = '', unit = ''] = COLUMNS_LINE.exec(line) ?? [];
  const names = AXES.get([first, second, third].join(','));
  if (names === undefined) return reader.fail('does not name the columns of a dump');
  const { sizes, sums, squares } = readCells(reader);
  const isCylinder = names[0] === 'z';
  const order = (numbers: Float64Array): Float64Array =>
    // written with R fastest, as we want it; boxes have z fastest
    isCylinder ? numbers : reverseOrder(numbers, sizes);
  const axes = names.map((name, axis) => countingAxis(name, sizes[axis] ?? 1));
  return {
    file,
    item,
    title: item,
    kind: 'linear',
    unit: nameUnit(unit),
    namesAxes: false,
    isPerPrimary: true,
    axes: isCylinder ? axes.toReversed() : axes,
    differentialAxes: 0,
    isIntegrated: false,
    moments: [order(sums), order(squares)],
  };
}

/** Rows up to the next block or the end; each cell once and in order, so that the last row has the sizes. */
function readCells(reader: TextReader): { sizes: readonly number[]; sums: Float64Array; squares: Float64Array } {
  const [sums, squares] = [new GrowingNumbers(), new GrowingNumbers()];
  const order = createCellOrder();
  for (let line = reader.peek(); line !== undefined && !line.startsWith('#'); line = reader.peek()) {
    reader.next();
    const cells = line.split(',', COLUMNS + 1);
    if (cells.length !== COLUMNS) reader.fail(`has not ${COLUMNS} columns`);
    if (!order.add(reader.count(cells[0]), reader.count(cells[1]), reader.count(cells[2]))) {
      reader.fail('is not the cell that comes next');
    }
    sums.push(reader.number(cells[3]));
    squares.push(reader.number(cells[4]));
    reader.number(cells[5]);
  }
  const sizes = order.sizes();
  if (sums.length === 0 || sums.length !== sizes.reduce((product, size) => product * size, 1)) {
    reader.fail(`comes after ${sums.length} cells, which do not fill a mesh`);
  }
  return { sizes, sums: sums.toArray(), squares: squares.toArray() };
}

/** Follows three indices of which the last is fastest; sizes are known only when an index begins again. */
function createCellOrder() {
  let last: readonly [number, number, number] = [0, 0, -1];
  const sizes: [number | undefined, number | undefined] = [undefined, undefined];
  const ends = (axis: 0 | 1, size: number): boolean => {
    sizes[axis] ??= size;
    return sizes[axis] === size;
  };
  return {
    /** False: not the next cell. */
    add(first: number, second: number, third: number): boolean {
      const [i, j, k] = last;
      last = [first, second, third];
      if (first === i && second === j) return third === k + 1;
      if (third !== 0 || !ends(1, k + 1)) return false;
      if (first === i) return second === j + 1;
      return first === i + 1 && second === 0 && ends(0, j + 1);
    },
    sizes: (): readonly number[] => [last[0] + 1, sizes[0] ?? last[1] + 1, sizes[1] ?? last[2] + 1],
  };
}

/** Positions of cells, counted: the dump has no others. */
function countingAxis(name: string, bins: number): SourceAxis {
  return { name, unit: 'bin', lower: 0.5, upper: bins + 0.5, bins, isLog: false };
}

function nameUnit(unit: string): string {
  return unit === 'percm2' ? '/cm^2' : unit || '1';
}
