import { type ScaleLinear, scaleLinear } from 'd3-scale';
import type { Curve, CurvePlot } from '../../domain/result/draw-curves.js';

/** Pixels of the drawing; the picture has twice as many. */
export const WIDTH = 640;
const HEIGHT = 400;
export const FONT_FAMILY = 'Arimo';
const BOX = { left: 78, right: 18, top: 16, bottom: 52 } as const;
const INNER_WIDTH = WIDTH - BOX.left - BOX.right;
const INNER_HEIGHT = HEIGHT - BOX.top - BOX.bottom;
/** Colours that are told apart with every kind of sight (Okabe and Ito 2008). */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#8c8c00'] as const;
/** About so many round numbers at an axis. */
const TICK_COUNT = 6;
const LABEL_LENGTH_MAX = 40;
const LABEL_HEIGHT = 17;

const escape = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

/** An axis of the drawing: from a number to a place. */
type Scale = ScaleLinear<number, number>;

/** Curves with bands of one standard error, both axes with name, unit and numbers. */
export function plotSvg({ xTitle, yTitle, curves }: CurvePlot): string {
  const xs = scaleOf(extent(curves.map(({ x }) => x)), [BOX.left, BOX.left + INNER_WIDTH]);
  const labelled = curves.filter(({ label }) => label !== '');
  const ys = scaleOf(rangeOf(curves, labelled.length), [BOX.top + INNER_HEIGHT, BOX.top]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="${FONT_FAMILY}" font-size="13" fill="#222">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...axisMarks(xs, ys),
    ...curves.map((curve, index) => bandOf(curve, xs, ys, colorOf(index))),
    ...curves.map((curve, index) => lineOf(curve, xs, ys, colorOf(index))),
    `<rect x="${BOX.left}" y="${BOX.top}" width="${INNER_WIDTH}" height="${INNER_HEIGHT}" fill="none" stroke="#444"/>`,
    `<text x="${BOX.left + INNER_WIDTH / 2}" y="${HEIGHT - 12}" text-anchor="middle" font-size="14">${escape(xTitle)}</text>`,
    `<text transform="translate(18 ${BOX.top + INNER_HEIGHT / 2}) rotate(-90)" text-anchor="middle" font-size="14">${escape(yTitle)}</text>`,
    ...labelled.map((curve, index) => labelOf(curve.label, index)),
    '</svg>',
  ].join('\n');
}

const colorOf = (index: number): string => COLORS[index % COLORS.length] ?? COLORS[0];

function extent(lists: readonly Float64Array[]): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of lists) {
    for (const value of list) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

const errorOf = ({ errors }: Curve, index: number): number => {
  const error = errors[index] ?? Number.NaN;
  return Number.isFinite(error) ? error : 0;
};

/** Of all values with their errors, with room for the labels above; it begins at zero where no value is below it. */
function rangeOf(curves: readonly Curve[], labelCount: number): readonly [number, number] {
  const [low, high] = extent(
    curves.flatMap((curve) => [
      curve.values.map((value, index) => value - errorOf(curve, index)),
      curve.values.map((value, index) => value + errorOf(curve, index)),
    ]),
  );
  const isPositive = curves.every(({ values }) => values.every((value) => value >= 0));
  const bottom = isPositive ? 0 : low;
  const share = labelCount === 0 ? 0.05 : (LABEL_HEIGHT * labelCount + 14) / INNER_HEIGHT;
  return [bottom, bottom + (high - bottom) / (1 - share)];
}

const scaleOf = ([low, high]: readonly [number, number], places: readonly [number, number]): Scale =>
  scaleLinear([low, high === low ? low + 1 : high], places);

const px = (value: number) => value.toFixed(1);

function lineOf({ x, values }: Curve, xs: Scale, ys: Scale, color: string): string {
  const points = Array.from(values, (value, index) => `${px(xs(x[index] ?? 0))},${px(ys(value))}`);
  return `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="1.8" stroke-linejoin="round"/>`;
}

function bandOf(curve: Curve, xs: Scale, ys: Scale, color: string): string {
  const [lowest = 0] = ys.domain();
  const side = (sign: number) =>
    Array.from(curve.values, (value, index) => {
      const inside = Math.max(lowest, value + sign * errorOf(curve, index));
      return `${px(xs(curve.x[index] ?? 0))},${px(ys(inside))}`;
    });
  return `<polygon points="${[...side(1), ...side(-1).toReversed()].join(' ')}" fill="${color}" fill-opacity="0.25"/>`;
}

/** As short as a number of an axis can be: `0.002`, `1.5e-7`. */
function words(value: number, largest: number): string {
  const rounded = Number(value.toPrecision(6));
  if (rounded === 0) return '0';
  const isPlain = largest < 1e5 && largest >= 1e-2;
  return (isPlain ? String(rounded) : rounded.toExponential().replace('e+', 'e')).replaceAll('-', '−');
}

function axisMarks(xs: Scale, ys: Scale): string[] {
  const bottom = BOX.top + INNER_HEIGHT;
  const largest = (scale: Scale) => Math.max(...scale.domain().map(Math.abs));
  const across = xs.ticks(TICK_COUNT).map((tick) => {
    const at = px(xs(tick));
    return `<path d="M${at} ${BOX.top}V${bottom + 5}" stroke="#ddd"/><text x="${at}" y="${bottom + 20}" text-anchor="middle">${words(tick, largest(xs))}</text>`;
  });
  const up = ys.ticks(TICK_COUNT).map((tick) => {
    const at = px(ys(tick));
    return `<path d="M${BOX.left - 5} ${at}H${WIDTH - BOX.right}" stroke="#ddd"/><text x="${BOX.left - 9}" y="${at}" dy="0.35em" text-anchor="end">${words(tick, largest(ys))}</text>`;
  });
  return [...across, ...up];
}

function labelOf(label: string, index: number): string {
  const characters = Array.from(label);
  const shown = characters.length > LABEL_LENGTH_MAX ? `${characters.slice(0, LABEL_LENGTH_MAX - 1).join('')}…` : label;
  const y = BOX.top + 18 + index * LABEL_HEIGHT;
  const x = BOX.left + 14;
  const width = 34 + Array.from(shown).length * 6.2;
  const paper = `<rect x="${x - 5}" y="${y - 9}" width="${width.toFixed(0)}" height="17" fill="#fff" fill-opacity="0.85"/>`;
  return `${paper}<rect x="${x}" y="${y - 2}" width="18" height="3" fill="${colorOf(index)}"/><text x="${x + 25}" y="${y}" dy="0.35em" font-size="12">${escape(shown)}</text>`;
}
