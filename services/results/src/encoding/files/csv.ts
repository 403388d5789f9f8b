import { NUMBER_BYTES_MAX, type NumberModule, numberModule } from '@tally/number-text';
import { inStep, type NumberPage } from '../../domain/page/number-page.js';
import { type NumberResults, provenanceOf } from '../../domain/result/export-results.js';

/** Longest text of a number, with what follows it. */
const NUMBER_TEXT_BYTES = 26;
/** Text written at once. */
const TEXT_BYTES_MAX = 256 * 1024;

/**
 * Comma-separated values (RFC 4180, lines ended by a line feed): a header with names and units, then a row a bin: bin centres,
 * value, standard error, the first axis fastest. Numbers are the shortest decimals that read back as the same float64; an error
 * that is not known is empty. Effective numbers of histories, where they are asked for, are the last column. Of several pages the
 * rows begin with estimator, page and unit, and have a column for each axis that one of them has. Where the description is asked
 * for, lines that begin with `#` stand before the header.
 */
export async function* writeCsv({ header, pages, hasDescription }: NumberResults): AsyncGenerator<Uint8Array> {
  if (hasDescription) yield Buffer.from(commentLines(header).join(''));
  const titles = axisColumns(pages);
  const [only] = pages;
  const isSingle = pages.length === 1 && only !== undefined;
  const start = isSingle ? [] : ['estimator', 'page_number', 'page', 'unit'];
  const end = isSingle ? [titleOf(only.pageName, only.unit), titleOf('error', only.unit)] : ['value', 'error'];
  if (pages.some(({ effectiveHistories }) => effectiveHistories !== undefined)) end.push('effective_histories');
  yield Buffer.from(`${[...start, ...titles, ...end].map(quote).join(',')}\n`);
  for (const page of pages) {
    const facts = [page.estimatorName, String(page.pageNumber), page.pageName, page.unit];
    const prefix = isSingle ? '' : facts.map((fact) => `${quote(fact)},`).join('');
    yield* pageRows(page, titles, end.length, Buffer.from(prefix));
  }
}

/** What was simulated, a line each; RFC 4180 knows no comments, but what reads tables of numbers does. */
function commentLines(header: NumberResults['header']): string[] {
  const { job_id, description, warnings, ...facts } = provenanceOf(header);
  const said = Object.entries({ job_id, ...description, ...facts }).filter(([, value]) => value !== null);
  const lines = said.map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  const warned = warnings.map(({ code, message }) => `warning: ${code} ${message}`);
  return [...lines, ...warned].map((line) => `# ${comment(line)}\n`);
}

/** One line, of which a spreadsheet takes no part for a formula, wherever it ends a field. */
function comment(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/([,;]\s*"?)(?=[=+\-@])/g, "$1'");
}

const titleOf = (name: string, unit: string) => (unit === '' ? name : `${name} [${unit}]`);

/** What a spreadsheet takes for a formula. A number is none. */
const FORMULA = /^\s*[=+\-@](?![\d.]+(?:e[+-]?\d+)?$)/i;

/** Fields with a comma, a quote or a line break are quoted (RFC 4180, 2). An apostrophe before a formula makes it text. */
function quote(field: string): string {
  const text = FORMULA.test(field) ? `'${field}` : field;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Titles of the axes of a page; a second axis of the same title is numbered. */
function titlesOf({ axes }: NumberPage): string[] {
  const titles: string[] = [];
  for (const { name, unit } of axes) {
    const title = titleOf(name, unit);
    titles.push(titles.includes(title) ? `${title} (${titles.length})` : title);
  }
  return titles;
}

function axisColumns(pages: readonly NumberPage[]): string[] {
  return [...new Set(pages.flatMap(titlesOf))];
}

async function* pageRows(
  page: NumberPage,
  titles: readonly string[],
  arrayCount: number,
  prefix: Uint8Array,
): AsyncGenerator<Buffer> {
  const columns = titles.length + arrayCount;
  const rowBytes = prefix.byteLength + columns * NUMBER_TEXT_BYTES;
  const rowsAtOnce = Math.max(1, Math.min(NUMBER_BYTES_MAX / 8 / columns, TEXT_BYTES_MAX / rowBytes) | 0);
  const cursor = await openCursor(page, titles, columns);
  const others = page.effectiveHistories === undefined ? [page.errors()] : [page.errors(), page.effectiveHistories()];
  for await (const arrays of inStep(page.values(), ...others)) {
    for (let from = 0; from < arrays[0].length; from += rowsAtOnce) {
      const module = numberModule();
      const rows = Math.min(rowsAtOnce, arrays[0].length - from);
      fillRows(
        module,
        cursor,
        rows,
        arrays.map((array) => array.subarray(from, from + rows)),
      );
      module.bytes.set(prefix, module.PREFIX.value);
      module.clear();
      module.appendRows(rows, columns, prefix.byteLength);
      yield Buffer.from(module.bytes.subarray(module.TEXT.value, module.textEnd()));
    }
  }
}

/** Where in a page the next row is. */
interface Cursor {
  readonly centers: readonly Float64Array[];
  /** Column of each axis. */
  readonly columnOf: readonly number[];
  /** Columns of all axes; those of the arrays follow. */
  readonly axisColumns: number;
  readonly columns: number;
  /** Bin along each axis. */
  readonly at: number[];
}

async function openCursor(page: NumberPage, titles: readonly string[], columns: number): Promise<Cursor> {
  const centers: Float64Array[] = [];
  for (const axis of page.axes.keys()) centers.push(await page.centers(axis));
  return {
    centers,
    columnOf: titlesOf(page).map((title) => titles.indexOf(title)),
    axisColumns: titles.length,
    columns,
    at: centers.map(() => 0),
  };
}

/** Puts rows of numbers where the module reads them; columns of other pages' axes, and arrays, are not numbers. */
function fillRows(module: NumberModule, cursor: Cursor, rows: number, arrays: readonly Float64Array[]): void {
  const { centers, columnOf, axisColumns, columns, at } = cursor;
  const numbers = new Float64Array(module.bytes.buffer, module.NUMBERS.value, rows * columns);
  numbers.fill(Number.NaN);
  for (let row = 0, base = 0; row < rows; row += 1, base += columns) {
    for (let axis = 0; axis < centers.length; axis += 1) {
      numbers[base + (columnOf[axis] ?? 0)] = centers[axis]?.[at[axis] ?? 0] ?? Number.NaN;
    }
    for (let array = 0; array < arrays.length; array += 1) {
      numbers[base + axisColumns + array] = arrays[array]?.[row] ?? Number.NaN;
    }
    for (let axis = 0; axis < centers.length; axis += 1) {
      at[axis] = (at[axis] ?? 0) + 1;
      if ((at[axis] ?? 0) < (centers[axis]?.length ?? 0)) break;
      at[axis] = 0;
    }
  }
}
