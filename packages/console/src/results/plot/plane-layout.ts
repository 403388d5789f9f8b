import { contours } from 'd3-contour';
import { scaleLinear } from 'd3-scale';
import { edgesOf, type Grid } from '../page-data.js';
import { type Box, type DrawnAxis, EM, type Format, type Level, type Range, widestTick } from './chart.js';
import type { Zoom } from './curves-chart.js';
import type { ColorRange } from './plane-image.js';
import { quantityWords, textWidth } from './rich-text.js';
import { type AxisTicks, linearTicks, logarithmicTicks } from './ticks.js';

/** A plane as it is drawn, whatever its size. */
export interface PlaneChart {
  readonly title: string;
  readonly grid: Grid;
  readonly range: ColorRange;
  readonly zoom: Zoom | undefined;
  readonly levels: readonly Level[];
  /** A length along one axis is as long as along the other. */
  readonly isEqual: boolean;
}

/** Where everything of a plane is. */
export interface PlaneLayout {
  readonly box: Box;
  readonly x: DrawnAxis;
  readonly y: DrawnAxis;
  /** All bins, of which the box shows a part. */
  readonly image: Box;
  readonly bar: Box;
  readonly colors: DrawnAxis;
  /** Of the whole, as high as the plane needs it. */
  readonly height: number;
  readonly titleY: number;
  /** The title of the colours lies over their bar: it is longer than this. */
  readonly isTitleAbove: boolean;
}

const LENGTHS = ['um', 'mm', 'cm', 'm'];
/** A plane that is thinner than this would be a line. */
const THINNEST = 1 / 10;

/** Whether the axes of a plane are lengths of one unit, of which neither is much longer than the other. */
export function canBeEqual(grid: Grid, zoom?: Zoom): boolean {
  const [x, y] = grid.axes;
  if (x === undefined || y === undefined || !haveSameLengths(grid)) return false;
  const [width, height] = [lengthOf(zoom?.x ?? endsOf(x)), lengthOf(zoom?.y ?? endsOf(y))];
  return width / height > THINNEST && height / width > THINNEST;
}

/** Whether both axes of a plane are lengths of one unit. */
export const haveSameLengths = ({ axes: [x, y] }: Grid): boolean =>
  x !== undefined && x.unit === y?.unit && LENGTHS.includes(x.unit);

const lengthOf = ([low, high]: Range): number => high - low;

/** First and last edge of an axis. */
export function endsOf(axis: Grid['axes'][number]): Range {
  const edges = edgesOf(axis);
  return [edges[0] ?? 0, edges.at(-1) ?? 1];
}

/** A range within another one; all of it where they have nothing in common. */
function within(range: Range | undefined, [low, high]: Range): Range {
  if (range === undefined) return [low, high];
  const [from, to] = [Math.max(low, range[0]), Math.min(high, range[1])];
  return to > from ? [from, to] : [low, high];
}

const BAR_EM = 1.1;

/** Places a plane into a width and at most a height: as large as it fits. */
export function layOutPlane(chart: PlaneChart, format: Format): PlaneLayout | undefined {
  const { fontSize, width, height } = format;
  const [x, y] = chart.grid.axes;
  if (x === undefined || y === undefined) return undefined;
  const [xs, ys] = [within(chart.zoom?.x, endsOf(x)), within(chart.zoom?.y, endsOf(y))];
  const colorTicks = colorTicksOf(chart.range, Math.max(2, height / fontSize / 5));
  const beside = (ticks: AxisTicks) => (EM.tick + EM.gap + EM.line + 0.35) * fontSize + widestTick(ticks, format);
  const below = (EM.tick + EM.gap + 2 * EM.line + 0.1) * fontSize;
  const left = beside(linearTicks(...ys, Math.max(2, height / fontSize / 4)));
  const right = (0.8 + BAR_EM) * fontSize + beside(colorTicks);
  const heading = (chart.title === '' ? 0.7 : 2) * fontSize;
  const title = quantityWords(chart.grid.name, chart.grid.unit);
  /** As large as it fits between what stands above, below and beside it. */
  const sizeUnder = (above: number) => {
    const room = { width: Math.max(20, width - left - right), height: Math.max(20, height - above - below) };
    const scale = Math.min(room.width / lengthOf(xs), room.height / lengthOf(ys));
    return { room, size: chart.isEqual ? { width: scale * lengthOf(xs), height: scale * lengthOf(ys) } : room };
  };
  const power = colorTicks.exponent === 0 ? 0 : 0.8 * fontSize;
  const isTitleAbove =
    format.letterWidth * textWidth(title, fontSize) > sizeUnder(heading + power).size.height + 1.2 * fontSize;
  const top = heading + (isTitleAbove ? 0.9 * fontSize : power);
  const { room, size } = sizeUnder(top);
  const box = { left: left + (room.width - size.width) / 2, top, ...size };
  const bottom = top + size.height;
  const axis = (of: Grid['axes'][number], ticks: AxisTicks, range: Range, from: number, to: number): DrawnAxis => ({
    ...ticks,
    title: quantityWords(of.name, of.unit),
    scale: scaleLinear(range, [from, to]),
  });
  const xAxis = axis(
    x,
    linearTicks(...xs, Math.max(2, size.width / fontSize / 5)),
    xs,
    box.left,
    box.left + size.width,
  );
  const yAxis = axis(y, linearTicks(...ys, Math.max(2, size.height / fontSize / 4)), ys, bottom, top);
  const [whole, upright] = [endsOf(x), endsOf(y)];
  const image = {
    left: xAxis.scale(whole[0]),
    top: yAxis.scale(upright[1]),
    width: xAxis.scale(whole[1]) - xAxis.scale(whole[0]),
    height: yAxis.scale(upright[0]) - yAxis.scale(upright[1]),
  };
  const { low, high } = chart.range;
  const bar = { left: box.left + size.width + 0.8 * fontSize, top, width: BAR_EM * fontSize, height: size.height };
  const shares = chart.range.kind === 'logarithmic' ? Math.log : (value: number) => value;
  const share = (value: number) => (shares(value) - shares(low)) / (shares(high) - shares(low));
  const colorScale = Object.assign((value: number) => bottom - share(value) * size.height, {
    invert: (place: number) => place,
    domain: () => [low, high],
  });
  // the bar is as high as the plane, which may be far lower than its room
  const barTicks = colorTicksOf(chart.range, Math.max(1, size.height / fontSize / 3));
  const colors = { ...barTicks, title, scale: colorScale };
  return { box, x: xAxis, y: yAxis, image, bar, colors, height: bottom + below, titleY: fontSize, isTitleAbove };
}

function colorTicksOf({ kind, low, high }: ColorRange, count: number): AxisTicks {
  return kind === 'logarithmic' ? logarithmicTicks(low, high, count) : linearTicks(low, high, count);
}

/** Lines along which a plane has a value, as the path of an SVG. */
export function contourPath({ grid }: PlaneChart, { value }: Level, { image }: PlaneLayout): string {
  const [nx, ny] = [grid.axes[0]?.centres.length ?? 1, grid.axes[1]?.centres.length ?? 1];
  if (nx < 2 || ny < 2) return '';
  const known = Array.from(grid.values, (one) => (Number.isNaN(one) ? 0 : one));
  const found = contours().size([nx, ny]).contour(known, value);
  // a ring along the edge of the plane is no line of a level
  const isEdge = (at: readonly number[], next: readonly number[]) =>
    [0, 1].some((i) => at[i] === next[i] && ((at[i] ?? 0) <= 0 || (at[i] ?? 0) >= (i === 0 ? nx : ny)));
  const place = ([x = 0, y = 0]: readonly number[]) =>
    `${(image.left + (x / nx) * image.width).toFixed(2)} ${(image.top + (1 - y / ny) * image.height).toFixed(2)}`;
  return found.coordinates
    .flat()
    .map((ring) => ring.map((at, i) => `${i === 0 || isEdge(ring[i - 1] ?? at, at) ? 'M' : 'L'}${place(at)}`).join(''))
    .join('');
}
