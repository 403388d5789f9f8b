// A curve drawn with block characters, for terminals of any kind.
import { axisTop } from '@tally/client';

const BLOCKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const BAND = '░';
const SPARK_TICKS = 4;

/** A curve to draw. */
export interface TerminalPlot {
  /** Ascending. */
  readonly x: readonly number[];
  readonly values: readonly number[];
  /** Standard errors; where they are given, what a value may be too small by is hatched above it. */
  readonly errors?: readonly (number | null)[];
  readonly columns?: number;
  readonly rows?: number;
  readonly xLabel: string;
  readonly yLabel: string;
}

/** The largest of the values that fall into each column; a column between sparse values repeats the one before it. */
function toColumns(x: readonly number[], values: readonly number[], columns: number): number[] {
  const first = x[0] ?? 0;
  const width = (x.at(-1) ?? 1) - first || 1;
  const heights = Array.from({ length: columns }, () => 0);
  values.forEach((value, i) => {
    const column = Math.min(columns - 1, Math.floor((((x[i] ?? 0) - first) / width) * columns));
    heights[column] = Math.max(heights[column] ?? 0, value);
  });
  for (let c = 1; c < columns; c++) {
    if (heights[c] === 0 && (c * (values.length / columns)) % 1 !== 0) heights[c] = heights[c - 1] ?? 0;
  }
  return heights;
}

function xAxis(first: number, width: number, columns: number, xLabel: string): string {
  let scale = ' '.repeat(10);
  for (let t = 0; t <= SPARK_TICKS; t++) {
    const text = (first + (width * t) / SPARK_TICKS).toFixed(1);
    const at = 10 + Math.round(((columns - 1) * t) / SPARK_TICKS) - (t === 0 ? 0 : Math.floor(text.length / 2));
    scale = scale.padEnd(at) + text;
  }
  return `${scale}  ${xLabel}`;
}

/** Bars of values over their positions, with both axes labelled, `columns` wide and `rows` high. */
export function plot({ x, values, errors = [], columns = 76, rows = 14, xLabel, yLabel }: TerminalPlot): string {
  const heights = toColumns(x, values, columns);
  const upper = values.map((value, i) => value + (errors[i] ?? 0));
  const bands = errors.length === 0 ? heights : toColumns(x, upper, columns);
  const top = axisTop(values, errors) || 1;
  const outside = values.filter((value) => value > top).length;
  const lines = [`  ${yLabel}`];
  for (let row = rows - 1; row >= 0; row--) {
    const label = row === rows - 1 ? top.toPrecision(3) : row === 0 ? '0' : '';
    const cells = heights.map((height, column) => {
      const eighths = Math.round((Math.min(height, top) / top) * rows * 8) - row * 8;
      const isBand = eighths <= 0 && ((bands[column] ?? 0) / top) * rows > row + 0.5;
      return isBand ? BAND : BLOCKS[Math.max(0, Math.min(8, eighths))];
    });
    lines.push(`${label.padStart(8)} ┤${cells.join('')}`);
  }
  lines.push(`${' '.repeat(9)}└${'─'.repeat(columns)}`);
  lines.push(xAxis(x[0] ?? 0, (x.at(-1) ?? 1) - (x[0] ?? 0), columns, xLabel));
  if (outside > 0)
    lines.push(`  ${outside} of ${values.length} values above the axis: it ends at those with errors below 20 %`);
  return lines.join('\n');
}

/** One line of progress: a bar, the share, and what there is to say. */
export function progressBar(share: number, text: string, width = 32): string {
  const full = Math.round(Math.max(0, Math.min(1, share)) * width);
  return `  [${'█'.repeat(full)}${'░'.repeat(width - full)}] ${String(Math.round(share * 100)).padStart(3)} %  ${text}`;
}

/** Rows as text in columns, as wide as their longest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)].join('\n');
}
