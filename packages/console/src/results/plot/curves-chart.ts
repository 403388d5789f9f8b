import { peakBin } from '@tally/merge/readings';
import { TEXTS } from '../../texts.js';
import type { Curve } from '../page-data.js';
import type { Chart, Level, Range, Series } from './chart.js';
import { unitWords } from './rich-text.js';
import { plain } from './ticks.js';

/** Colours that people with any colour vision tell apart (Okabe and Ito 2008), the first one ours. */
const COLORS = ['#0a8f6c', '#d55e00', '#0072b2', '#cc79a7', '#e69f00', '#56b4e9', '#7a6ff0', '#999999'];
export const colorOf = (index: number): string => COLORS[index % COLORS.length] ?? '#000000';

/** What somebody has chosen of a chart. */
export interface CurvesView {
  readonly isLogarithmic: boolean;
  readonly hasErrors: boolean;
  readonly zoom?: Zoom | undefined;
  readonly levels?: readonly Level[];
}

/** A part of a chart; an undefined axis: all of it. */
export interface Zoom {
  readonly x?: Range | undefined;
  readonly y?: Range | undefined;
}

/** What several curves are called together; empty: each is something else. */
function sharedName(curves: readonly Curve[]): string {
  const names = [...new Set(curves.map(({ name }) => name))];
  return names.length <= 2 ? names.join(', ') : '';
}

/** Curves as a chart: those of a second unit by an axis on the right. */
export function toChart(curves: readonly Curve[], { isLogarithmic, hasErrors, zoom, levels = [] }: CurvesView): Chart {
  const [first] = curves;
  const right = curves.filter(({ unit }) => unit !== first?.unit);
  const left = curves.filter(({ unit }) => unit === first?.unit);
  const series = curves.map<Series>(({ axis, values, errors, label, unit }, i) => ({
    label: unit === first?.unit ? label : TEXTS.results.onTheRight(label, unitWords(unit)),
    x: axis.centres,
    y: values,
    errors,
    color: colorOf(i),
    isRight: unit !== first?.unit,
    errorsAs: hasErrors ? 'band' : undefined,
    form: 'line',
  }));
  return {
    title: '',
    x: { name: first?.axis.name ?? '', unit: first?.axis.unit ?? '', isLogarithmic: false, range: zoom?.x },
    y: { name: sharedName(left), unit: first?.unit ?? '', isLogarithmic, range: zoom?.y },
    right: right[0] && { name: sharedName(right), unit: right[0].unit, isLogarithmic, range: undefined },
    series,
    levels,
  };
}

/** Numbers of an address (`1,2,,4`), as many as it may have; what is no number is left out. */
export function readNumbers(text: string | undefined, count: number): (number | undefined)[] {
  const parts = (text ?? '').split(',');
  return Array.from({ length: count }, (_, i) => {
    const part = parts[i]?.trim() ?? '';
    return part === '' || !Number.isFinite(Number(part)) ? undefined : Number(part);
  });
}

/** A part of a chart as an address names it: `x from, x to, y from, y to`. */
export function readZoom(text: string | undefined): Zoom | undefined {
  const [xLow, xHigh, yLow, yHigh] = readNumbers(text, 4);
  const range = (low: number | undefined, high: number | undefined): Range | undefined =>
    low === undefined || high === undefined || !(high > low) ? undefined : [low, high];
  const zoom = { x: range(xLow, xHigh), y: range(yLow, yHigh) };
  return zoom.x === undefined && zoom.y === undefined ? undefined : zoom;
}

const short = (value: number): string => String(Number(value.toPrecision(6)));

export function writeZoom(zoom: Zoom | undefined): string | undefined {
  if (zoom?.x === undefined && zoom?.y === undefined) return undefined;
  const words = [...(zoom.x ?? ['', '']), ...(zoom.y ?? [])];
  return words.map((value) => (typeof value === 'number' ? short(value) : value)).join(',');
}

/**
 * Levels that somebody has typed (`50 %, 0.02`): in the unit of the values, or in percent of the largest certain one.
 * What is no number is left out.
 */
export function readLevels(
  text: string | undefined,
  values: ArrayLike<number>,
  errors: ArrayLike<number | null>,
): Level[] {
  const parts = (text ?? '').split(/[,;]/).map((part) => part.trim());
  const wanted = parts.filter((part) => /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*%?$/i.test(part));
  const known = Array.from(values, (value) => (Number.isFinite(value) ? value : 0)); // errors that nobody knows are NaN
  const peak = known[peakBin(known, errors)] ?? 0;
  const levels = wanted.map((part) => {
    const number = Number.parseFloat(part);
    const decimals = (/\.(\d+)/.exec(part)?.[1] ?? '').length;
    return part.endsWith('%')
      ? { value: (number / 100) * peak, label: `${plain(number, decimals)} %` }
      : { value: number, label: part.replace('-', '−') };
  });
  return [...new Map(levels.map((level) => [level.label, level])).values()].slice(0, LEVELS_MAX);
}

const LEVELS_MAX = 12;

/** When a job was submitted, which tells it from others of its name. */
const JOB_ID = / \(\d{4}-\d{6}\)$/;

/**
 * Labels without the words that all of them begin with, and these words: what a title says, no legend has to say again.
 * @returns `common`, empty where they share nothing
 */
export function distinguish(labels: readonly string[]): { readonly common: string; readonly own: string[] } {
  const [first] = labels;
  if (first === undefined || labels.length < 2) return { common: first ?? '', own: [...labels] };
  const shorter = labels.map((label) => label.replace(JOB_ID, ''));
  const words = (new Set(shorter).size === labels.length ? shorter : labels).map((label) => label.split(/(?<=\s)/));
  const shortest = Math.min(...words.map(({ length }) => length));
  const bare = (word: string | undefined) => word?.replace(/[\s,;:·]+$/, '');
  const isShared = (at: (parts: readonly string[]) => string | undefined) =>
    words.every((parts) => bare(at(parts)) === bare(at(words[0] ?? [])));
  let start = 0;
  while (start < shortest - 1 && isShared((parts) => parts[start])) start += 1;
  const trim = (text: string) => text.replace(/^[\s,;:·]+|[\s,;:·([]+$/g, '');
  const own = words.map((parts) => trim(parts.slice(start).join('')));
  if (own.some((label) => label === '')) return { common: '', own: [...labels] };
  return { common: trim((words[0] ?? []).slice(0, start).join('')), own: own.map(closed) };
}

/** A text without a bracket around all of it, or one whose other half was cut. */
function closed(text: string): string {
  const [opens, closes] = [text.search(/[([]/), text.search(/[)\]]/)];
  if (opens === 0 && closes === text.length - 1) return text.slice(1, -1);
  if (opens === 0 && closes === -1) return text.slice(1);
  return opens === -1 && closes === text.length - 1 && closes !== -1 ? text.slice(0, -1) : text;
}
