import { ByteReader } from '../../output/byte-reader.js';
import { GrowingNumbers } from '../../output/growing-numbers.js';
import type { OutputReport } from '../../output/output-report.js';
import type { TextReader } from '../../output/text-reader.js';
import type { ScorerHead } from './read-scorer-head.js';

/** Numbers by the name of their column, in the order of pages: first axis fastest, then bins of energy or time. */
export type ScorerNumbers = ReadonlyMap<string, Float64Array>;

/** What a head may say of cells that are zero and not in the file. */
const SPARSE_CELLS_MAX = 2 ** 24;
const NUMBER_BYTES = 8;

/** How rows are laid out, apart from their order. */
interface Layout {
  readonly cells: number;
  /** Columns before the numbers: three indices, one for all three, or none. */
  readonly indexColumns: number;
  /** Groups of columns in a row, one a bin of energy or time and the extra ones. */
  readonly groups: number;
}

/**
 * Reads the rows of a scorer, each cell once and every cell, unless the head says that those of zero are left out. Rows
 * with indices may come in any order; those of spectra have none, and come in the order of the version.
 * @throws OutputError `UNREADABLE`
 */
export function readCsvCells(reader: TextReader, head: ScorerHead, report: OutputReport): ScorerNumbers {
  const bins = head.binning?.axis.bins ?? 1;
  const targets = new GrowingNumbers();
  const tables = head.columns.map(() => new GrowingNumbers());
  let layout: Layout | undefined;
  let row = 0;
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    if (line === '') continue;
    const texts = line.split(',');
    layout ??= findLayout(reader, head, texts.length, report);
    const expected = layout.indexColumns + layout.groups * head.columns.length;
    if (texts.length !== expected) reader.fail(`has ${texts.length} columns, not ${expected}`);
    if (row >= layout.cells) reader.fail(`is one row more than the ${layout.cells} cells of the head`);
    targets.push(findCell(reader, texts, head, { ...layout, row }));
    for (const [column, table] of tables.entries()) {
      for (let bin = 0; bin < bins; bin += 1) {
        const group = head.binning === undefined ? 0 : bin + 1; // the first is for what lies below
        table.push(reader.number(texts[layout.indexColumns + group * head.columns.length + column]));
      }
    }
    row += 1;
  }
  const cells = countCells(head);
  if (head.isSparse && cells > SPARSE_CELLS_MAX) reader.fail(`is the last of ${cells} cells, more than can be held`);
  if (!head.isSparse && row !== cells) reader.fail(`is the last of ${row} rows, and the head has ${cells} cells`);
  return placeCells(
    reader,
    head,
    targets.toArray(),
    tables.map((table) => table.toArray()),
  );
}

/**
 * Reads the numbers that a scorer has put into a file of their own: 64-bit reals, little endian, cell after cell with
 * the first index fastest.
 * @throws OutputError `UNREADABLE`
 */
export function readBinaryCells(bytes: Uint8Array, fileName: string, head: ScorerHead): ScorerNumbers {
  const reader = new ByteReader(bytes, fileName);
  const [cells, width] = [countCells(head), head.columns.length];
  const bins = head.binning?.axis.bins ?? 1;
  const groups = bins + (head.binning?.extraGroups ?? 0);
  const sizeBytes = cells * groups * width * NUMBER_BYTES;
  if (bytes.byteLength !== sizeBytes) {
    reader.fail(`has ${bytes.byteLength} bytes, not ${sizeBytes}, which ${cells} cells of the head take`);
  }
  const numbers = reader.float64s(cells * groups * width);
  const firstGroup = head.binning === undefined ? 0 : 1;
  return new Map(
    head.columns.map((name, column) => [
      name,
      Float64Array.from({ length: cells * bins }, (_, at) => {
        const [cell, bin] = [at % cells, Math.floor(at / cells)];
        return numbers[(cell * groups + firstGroup + bin) * width + column] ?? Number.NaN;
      }),
    ]),
  );
}

function countCells({ axes }: ScorerHead): number {
  return axes.reduce((product, { bins }) => product * bins, 1);
}

/** From the number of columns in the first row; versions differ in what they put before and behind the bins. */
function findLayout(reader: TextReader, head: ScorerHead, columns: number, report: OutputReport): Layout {
  const { axes, binning } = head;
  const width = head.columns.length;
  const cells = countCells(head);
  const hasIndices = axes.length > 0;
  const indexColumns = binning === undefined && hasIndices ? [3, 1, 0] : hasIndices ? [0, 3, 1] : [0];
  const extraGroups = binning === undefined ? [0] : binning.extraGroups === 3 ? [3, 2] : [2, 3];
  for (const index of indexColumns) {
    for (const extra of extraGroups) {
      const groups = (binning?.axis.bins ?? 1) + extra;
      if (index + groups * width !== columns) continue;
      const isOrdered = index > 0 || axes.filter(({ bins }) => bins > 1).length < 2;
      if (!isOrdered && head.isFirstFastest === undefined) {
        report.warn(
          'OUTPUT_ASSUMED',
          reader.fileName,
          'its version is not known: rows are taken with the last index fastest',
        );
      }
      return { cells, indexColumns: index, groups };
    }
  }
  const groups = (binning?.axis.bins ?? 1) + (binning?.extraGroups ?? 0);
  return reader.fail(`has ${columns} columns, not ${(indexColumns[0] ?? 0) + groups * width}`);
}

/** Where the row belongs, in the order of pages. */
function findCell(
  reader: TextReader,
  texts: readonly string[],
  { axes, isFirstFastest = false }: ScorerHead,
  { indexColumns, row }: Layout & { readonly row: number },
): number {
  const [nx = 1, ny = 1, nz = 1] = axes.map(({ bins }) => bins);
  if (indexColumns === 0 && isFirstFastest) return row;
  const lastFastest = indexColumns === 1 ? reader.count(texts[0]) : row;
  const [x = 0, y = 0, z = 0] =
    indexColumns === 3
      ? texts.slice(0, 3).map((text) => reader.count(text))
      : [Math.floor(lastFastest / (ny * nz)), Math.floor(lastFastest / nz) % ny, lastFastest % nz];
  if (x >= nx || y >= ny || z >= nz) reader.fail(`is of a cell beyond the ${nx} × ${ny} × ${nz} of the head`);
  return x + nx * (y + ny * z);
}

function placeCells(
  reader: TextReader,
  head: ScorerHead,
  targets: Float64Array,
  tables: readonly Float64Array[],
): ScorerNumbers {
  const cells = countCells(head);
  const bins = head.binning?.axis.bins ?? 1;
  const seen = new Uint8Array(cells);
  for (const [row, target] of targets.entries()) {
    if (seen[target] === 1) reader.fail(`ends the rows, of which the cell of row ${row + 1} had one before`);
    seen[target] = 1;
  }
  const place = (numbers: Float64Array): Float64Array => {
    const placed = new Float64Array(cells * bins);
    for (const [row, target] of targets.entries()) {
      for (let bin = 0; bin < bins; bin += 1) placed[bin * cells + target] = numbers[row * bins + bin] ?? Number.NaN;
    }
    return placed;
  };
  return new Map(head.columns.map((name, column) => [name, place(tables[column] ?? new Float64Array())]));
}
