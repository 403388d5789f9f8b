import { axisTop } from '@tally/merge/readings';
import { scaleLinear, scaleLog } from 'd3-scale';
import { quantityWords, textWidth } from './rich-text.js';
import { type AxisTicks, linearTicks, logarithmicTicks } from './ticks.js';

/** Numbers over an axis, with what they are called. */
export interface Series {
  readonly label: string;
  /** Ascending. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Standard errors of the same length, or empty: not known. */
  readonly errors: readonly (number | null)[];
  /** `#rrggbb` */
  readonly color: string;
  /** Read off the axis on the right, and dashed. */
  readonly isRight: boolean;
  /** Points have bars of one standard error, lines a band; undefined: none of them. */
  readonly errorsAs?: 'band' | undefined;
  readonly form: 'line' | 'points';
}

export interface ChartAxis {
  readonly name: string;
  readonly unit: string;
  readonly isLogarithmic: boolean;
  /** By hand; undefined: all of it. */
  readonly range: Range | undefined;
}

export type Range = readonly [low: number, high: number];

/** A horizontal line at a value. */
export interface Level {
  readonly value: number;
  readonly label: string;
}

/** What is drawn, whatever its size. */
export interface Chart {
  readonly title: string;
  readonly x: ChartAxis;
  readonly y: ChartAxis;
  readonly right: ChartAxis | undefined;
  readonly series: readonly Series[];
  readonly levels: readonly Level[];
}

/** How large it is drawn, and in which colours; lengths in pixels of a screen or points of a paper. */
export interface Format {
  readonly width: number;
  readonly height: number;
  readonly fontSize: number;
  readonly lineWidth: number;
  readonly hasLegend: boolean;
  readonly ink: string;
  readonly grid: string;
  readonly fontFamily: string;
  /** How much wider its letters may be than those of Helvetica. */
  readonly letterWidth: number;
}

/** Of an axis: from a value to its place, and back. */
export interface Scale {
  (value: number): number;
  invert(place: number): number;
  domain(): number[];
}

export interface DrawnAxis extends AxisTicks {
  readonly title: string;
  readonly scale: Scale;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where everything of a chart is. */
export interface Layout {
  readonly box: Box;
  readonly x: DrawnAxis;
  readonly y: DrawnAxis;
  readonly right: DrawnAxis | undefined;
  readonly legend: Box | undefined;
  readonly titleY: number;
}

/** Of a linear axis beyond its values. */
const AXIS_MARGIN = 1.08;
/** Where an axis ends that reaches up to a value. */
export const axisEnd = (top: number, isLogarithmic: boolean): number => top * (isLogarithmic ? 2 : AXIS_MARGIN);
const DECADES_MAX = 6;

/** From the first to the last place of all series; points have room beside them. */
export function xRange(series: readonly Series[], isLogarithmic: boolean): Range {
  const all = series.flatMap(({ x }) => x.filter((value) => !isLogarithmic || value > 0));
  const [low, high] = all.reduce<Range>(
    ([least, most], x) => [Math.min(least, x), Math.max(most, x)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  if (!(high >= low)) return isLogarithmic ? [1, 10] : [0, 1];
  if (isLogarithmic)
    return low === high ? [low / 2, high * 2] : series.some(isOfPoints) ? [low / 1.1, high * 1.1] : [low, high];
  const room = series.some(isOfPoints) ? 0.04 * (high - low) || Math.abs(high) / 10 || 1 : 0;
  return low === high && room === 0 ? [low - 0.5, high + 0.5] : [low - room, high + room];
}

const isOfPoints = ({ form }: Series): boolean => form === 'points';

/** From the smallest to the largest value with its error; noise sets no scale. */
export function yRange(series: readonly Series[], isLogarithmic: boolean): Range {
  const top = Math.max(0, ...series.map(({ y, errors }) => axisTop(y, errors)));
  const least = Math.min(
    0,
    ...series.map(({ y, errors, errorsAs }) =>
      y.reduce((lowest, value, i) => Math.min(lowest, value - (errorsAs === 'band' ? (errors[i] ?? 0) : 0)), 0),
    ),
  );
  if (!isLogarithmic) {
    const isSigned = series.some(({ y }) => y.some((value) => value < 0));
    return [isSigned ? least * AXIS_MARGIN : 0, axisEnd(top, false) || (isSigned ? 0 : 1)];
  }
  const floor = series
    .flatMap(({ y }) => y.filter((value) => value > 0))
    .reduce((smallest, value) => Math.min(smallest, value), top);
  return top > 0 ? [Math.max(floor / 1.5, top / 10 ** DECADES_MAX), axisEnd(top, true)] : [0.1, 1];
}

export function scaleOf(range: Range, isLogarithmic: boolean, from: number, to: number): Scale {
  return isLogarithmic ? scaleLog(range, [from, to]) : scaleLinear(range, [from, to]);
}

/** A range by hand that its axis can have; otherwise all of it. */
function usable(range: Range | undefined, isLogarithmic: boolean, whole: Range): Range {
  if (range === undefined || !(range[1] > range[0])) return whole;
  return isLogarithmic && range[0] <= 0 ? [whole[0], Math.max(range[1], whole[0] * 10)] : range;
}

const ticksOf = ([low, high]: Range, isLogarithmic: boolean, count: number): AxisTicks =>
  isLogarithmic ? logarithmicTicks(low, high, count) : linearTicks(low, high, count);

/** Of the numbers of an axis. */
export const widestTick = ({ ticks }: Pick<AxisTicks, 'ticks'>, { fontSize, letterWidth }: Format): number =>
  Math.max(fontSize, ...ticks.map(({ words }) => letterWidth * textWidth(words, fontSize)));

/** Lengths in sizes of a letter: of a mark, from it to its number, of a line of text, between curve and legend. */
export const EM = { tick: 0.4, gap: 0.35, line: 1.25, key: 1.8 };

/** Places everything of a chart into a format. */
export function layOut(chart: Chart, format: Format): Layout {
  const { width, height, fontSize } = format;
  const left = chart.series.filter(({ isRight }) => !isRight);
  const others = chart.series.filter(({ isRight }) => isRight);
  const xs = usable(chart.x.range, chart.x.isLogarithmic, xRange(chart.series, chart.x.isLogarithmic));
  const ys = usable(chart.y.range, chart.y.isLogarithmic, yRange(left, chart.y.isLogarithmic));
  const yTicks = ticksOf(ys, chart.y.isLogarithmic, Math.max(2, height / fontSize / 4));
  const rights =
    chart.right && usable(chart.right.range, chart.right.isLogarithmic, yRange(others, chart.right.isLogarithmic));
  const rightTicks =
    chart.right && rights && ticksOf(rights, chart.right.isLogarithmic, Math.max(2, height / fontSize / 4));
  const beside = (ticks: AxisTicks) => (EM.tick + EM.gap + EM.line + 0.35) * fontSize + widestTick(ticks, format);
  const hasPower = yTicks.exponent !== 0 || (rightTicks?.exponent ?? 0) !== 0;
  const titleHeight = chart.title === '' ? 0 : 1.5 * fontSize;
  const top = titleHeight + (hasPower ? 1.5 : 0.7) * fontSize;
  const box = {
    left: beside(yTicks),
    top,
    width: Math.max(10, width - beside(yTicks) - (rightTicks === undefined ? fontSize : beside(rightTicks))),
    height: Math.max(10, height - top - (EM.tick + EM.gap + 2 * EM.line + 0.1) * fontSize),
  };
  const xTicks = ticksOf(xs, chart.x.isLogarithmic, Math.max(2, box.width / fontSize / 6));
  const axis = (of: ChartAxis, ticks: AxisTicks, range: Range, from: number, to: number): DrawnAxis => ({
    ...ticks,
    title: quantityWords(of.name, of.unit),
    scale: scaleOf(range, of.isLogarithmic, from, to),
  });
  const [bottom, end] = [box.top + box.height, box.left + box.width];
  const x = axis(chart.x, xTicks, xs, box.left, end);
  const y = axis(chart.y, yTicks, ys, bottom, box.top);
  const right =
    chart.right && rightTicks && rights ? axis(chart.right, rightTicks, rights, bottom, box.top) : undefined;
  const wanted = format.hasLegend ? legendSize(chart, format) : undefined;
  const placed = wanted && freeCorner(chart, { x, y, right }, box, wanted, fontSize);
  if (wanted === undefined || placed !== undefined) return { box, x, y, right, legend: placed, titleY: fontSize };
  // no corner is free: the legend stands above the curves, which become as much lower
  const room = wanted.height + 0.3 * fontSize;
  const lower = { ...box, top: box.top + room, height: Math.max(10, box.height - room) };
  const again = (of: ChartAxis, ticks: AxisTicks, range: Range) =>
    axis(of, ticks, range, lower.top + lower.height, lower.top);
  return {
    box: lower,
    x,
    y: again(chart.y, yTicks, ys),
    right: chart.right && rightTicks && rights ? again(chart.right, rightTicks, rights) : undefined,
    legend: { ...wanted, left: box.left, top: titleHeight + 0.3 * fontSize },
    titleY: fontSize,
  };
}

function legendSize(
  { series }: Chart,
  { fontSize, width, letterWidth }: Format,
): Pick<Box, 'width' | 'height'> | undefined {
  if (series.length < 2) return undefined;
  const texts = series.map(({ label }) => letterWidth * textWidth(label, fontSize));
  return {
    width: Math.min(0.94 * width, Math.max(...texts) + (EM.key + 1) * fontSize),
    height: (series.length * EM.line + 0.3) * fontSize,
  };
}

/** A corner of the box in which no curve runs; undefined: all are crossed. */
function freeCorner(
  { series }: Chart,
  { x, y, right }: Pick<Layout, 'x' | 'y' | 'right'>,
  box: Box,
  size: Pick<Box, 'width' | 'height'>,
  fontSize: number,
): Box | undefined {
  const inside = 0.5 * fontSize;
  if (size.width > box.width - 2 * inside || size.height > box.height - 2 * inside) return undefined;
  const [lefts, tops] = [
    [box.left + box.width - size.width - inside, box.left + inside],
    [box.top + inside, box.top + box.height - size.height - inside],
  ];
  const corners = tops.flatMap((top) => lefts.map((left) => ({ ...size, left, top })));
  return corners.find((corner) =>
    series.every((one) => {
      const up = one.isRight ? (right ?? y) : y;
      return one.x.every((at, i) => {
        const place = x.scale(at);
        if (place < corner.left - inside || place > corner.left + corner.width + inside) return true;
        const [value, error] = [one.y[i] ?? 0, one.errors[i] ?? 0];
        const [low, high] = [up.scale(value - error), up.scale(value + error)];
        return (
          Math.max(low, up.scale(value)) < corner.top || Math.min(high, up.scale(value)) > corner.top + corner.height
        );
      });
    }),
  );
}

/** The bin whose place is nearest to a value of the axis; undefined: there is none. */
export function nearestBin(x: readonly number[], wanted: number): number | undefined {
  if (x.length === 0) return undefined;
  let [low, high] = [0, x.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((x[middle] ?? 0) < wanted) low = middle;
    else high = middle;
  }
  return wanted - (x[low] ?? 0) <= (x[high] ?? 0) - wanted ? low : high;
}
