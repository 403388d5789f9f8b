import { GrowingNumbers } from '../../output/growing-numbers.js';
import type { TextReader } from '../../output/text-reader.js';

/** Numbers of the cells of a mesh in the order of the file: last index fastest. */
export interface Cells {
  readonly sizes: readonly number[];
  readonly sums: Float64Array;
  /** Empty where the file has none. */
  readonly squares: Float64Array;
  /** What follows the last cell in its line. */
  readonly rest?: string;
}

const INDICES = 3;
/** Of a cell: the sum, its squares and entries; of older versions the sum alone. */
const NUMBERS = { withSquares: 3, alone: 1 };

/** Rows up to the next block or the end; each cell once and in order, so that the last row has the sizes. */
export function readRows(reader: TextReader, hasSquares: boolean): Cells {
  const columns = INDICES + (hasSquares ? NUMBERS.withSquares : NUMBERS.alone);
  const [sums, squares] = [new GrowingNumbers(), new GrowingNumbers()];
  const order = createCellOrder();
  for (let line = reader.peek(); line !== undefined && !line.startsWith('#'); line = reader.peek()) {
    reader.next();
    const cells = line.split(',', columns + 1);
    if (cells.length !== columns) reader.fail(`has not ${columns} columns`);
    if (!order.add(reader.count(cells[0]), reader.count(cells[1]), reader.count(cells[2]))) {
      reader.fail('is not the cell that comes next');
    }
    addNumbers(reader, cells.slice(INDICES), sums, squares);
  }
  const sizes = order.sizes();
  if (sums.length === 0 || sums.length !== countCells(sizes)) {
    reader.fail(`comes after ${sums.length} cells, which do not fill a mesh`);
  }
  return { sizes, sums: sums.toArray(), squares: squares.toArray() };
}

/** Cells one after another, five a line, after a line of their numbers; the next block may follow in the last line. */
export function readSequence(reader: TextReader, hasSquares: boolean): Cells {
  const sizes = (reader.next() ?? '').split(' ').map((size) => reader.count(size));
  const count = countCells(sizes);
  const columns = hasSquares ? NUMBERS.withSquares : NUMBERS.alone;
  const [sums, squares] = [new GrowingNumbers(), new GrowingNumbers()];
  let rest: string | undefined;
  while (sums.length < count && rest === undefined) {
    const line = reader.next();
    if (line === undefined) return reader.fail(`ends a mesh of ${count} cells after ${sums.length}`);
    const end = line.indexOf('#');
    rest = end < 0 ? undefined : line.slice(end);
    for (const cell of (end < 0 ? line : line.slice(0, end)).split(' ')) {
      if (cell === '') continue;
      const numbers = cell.split(',', columns + 1);
      if (numbers.length !== columns) reader.fail(`has a cell without ${columns} numbers`);
      addNumbers(reader, numbers, sums, squares);
    }
  }
  if (sums.length !== count || count === 0) reader.fail(`ends a mesh of ${count} cells after ${sums.length}`);
  return { sizes, sums: sums.toArray(), squares: squares.toArray(), ...(rest === undefined ? {} : { rest }) };
}

function addNumbers(
  reader: TextReader,
  numbers: readonly string[],
  sums: GrowingNumbers,
  squares: GrowingNumbers,
): void {
  sums.push(reader.number(numbers[0]));
  if (numbers.length === NUMBERS.alone) return;
  squares.push(reader.number(numbers[1]));
  reader.number(numbers[2]); // entries
}

function countCells(sizes: readonly number[]): number {
  return sizes.reduce((product, size) => product * size, 1);
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
