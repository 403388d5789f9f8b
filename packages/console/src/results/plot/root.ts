/*
 * ROOT's plots in the browser (JSROOT): log axes, zoom, export, as physicists know them. Loaded when the first plot is
 * shown. Its types are too loose for us: what we use of it is described here.
 */

import { axisTop } from '@tally/merge/readings';
import { axisTitle, edgesOf, type Grid } from '../page-data.js';

interface RootObject {
  [member: string]: unknown;
}
type Bounds = readonly [xLow?: number, xHigh?: number, yLow?: number, yHigh?: number, ...rest: unknown[]];
interface FramePainter {
  /** 0 while nobody drags. */
  readonly zoom_kind: number;
  readonly zoom_xmin: number;
  readonly zoom_xmax: number;
  readonly zoom_ymin: number;
  readonly zoom_ymax: number;
  /** Whether somebody has zoomed this axis by hand. */
  zoomChangedInteractive(axis: 'x' | 'y'): boolean | undefined;
  zoomSingle(axis: string, low: number, high: number): Promise<unknown>;
  zoom(...bounds: Bounds): Promise<unknown>;
  readonly scale_ymin: number;
  readonly scale_ymax: number;
}
interface Painter {
  getCanvPainter(): { checkCanvasResize(isForced: boolean): unknown } | undefined;
  getFramePainter(): FramePainter | undefined;
}
interface Root {
  createTGraph(count: number, x: readonly number[], y: readonly number[]): RootObject;
  createTMultiGraph(...graphs: RootObject[]): RootObject;
  createHistogram(type: string, ...bins: number[]): RootObject;
  draw(element: HTMLElement, object: RootObject, options: string): Promise<Painter>;
  cleanup(element: HTMLElement): void;
  toJSON(object: RootObject): string;
  addColor(rgb: string): number;
  readonly settings: RootObject;
  readonly gStyle: RootObject;
}

let loading: Promise<Root> | undefined;

function loadRoot(): Promise<Root> {
  loading ??= Promise.all([import('jsroot/core'), import('jsroot/draw'), import('jsroot/colors')]).then(
    ([core, draw, colors]) => ({ ...core, ...draw, ...colors }) as unknown as Root,
  );
  return loading;
}

/** A line with its error band. */
export interface PlotLine {
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Of the same length, or empty: not known. */
  readonly errors: readonly (number | null)[];
  /** Whether the errors are drawn. */
  readonly hasBand: boolean;
  readonly label: string;
  /** `#rrggbb` */
  readonly color: string;
  /** Of another unit: dashed, and read off the axis on the right. */
  readonly isRight: boolean;
}

export interface PlotOptions {
  readonly xTitle: string;
  readonly yTitle: string;
  /** Of the axis on the right; undefined: there is none. */
  readonly rightTitle: string | undefined;
  readonly isLogarithmic: boolean;
  readonly isDark: boolean;
}

/** TAxis fonts are numbered by font and precision (ROOT manual, TAttText): Helvetica, scaled by pixels. */
const FONT = 43;
const kCanDelete = 0;
/** Of a linear axis beyond its values. */
const AXIS_MARGIN = 1.08;
/** Where an axis ends that reaches up to a value. */
export const axisEnd = (top: number, isLogarithmic: boolean): number => top * (isLogarithmic ? 2 : AXIS_MARGIN);
/** TAttLine. */
const DASHED = 7;

/** Two fifths of a colour, `#rrggbb`, on a background: ROOT's bands are not translucent. */
function mixed(color: string, background: readonly number[]): string {
  const parts = [1, 3, 5].map((at, i) =>
    Math.round(0.4 * Number.parseInt(color.slice(at, at + 2), 16) + 0.6 * (background[i] ?? 0)),
  );
  return `rgb(${parts.join(', ')})`;
}

const hasShownBand = ({ hasBand, errors }: PlotLine): boolean => hasBand && errors.length > 0;

function toGraph(root: Root, line: PlotLine, { isLogarithmic, isDark }: PlotOptions): RootObject {
  const kept = line.x.map((_, i) => i).filter((i) => !isLogarithmic || (line.y[i] ?? 0) > 0);
  const pick = (from: readonly (number | null)[]) => kept.map((i) => from[i] ?? 0);
  const [x, y] = [pick(line.x), pick(line.y)];
  const graph = root.createTGraph(kept.length, x, y);
  const color = root.addColor(line.color);
  Object.assign(graph, {
    fLineColor: color,
    fLineWidth: 2,
    fLineStyle: line.isRight ? DASHED : 1,
    fMarkerColor: color,
    fTitle: line.label,
    fFillColor: root.addColor(mixed(line.color, isDark ? [46, 46, 46] : [255, 255, 255])),
    fFillStyle: 1001,
  });
  if (!hasShownBand(line)) return graph;
  const errors = pick(line.errors);
  // the lower edge of a band stays in sight on a logarithmic axis
  const bounded = isLogarithmic ? errors.map((error, i) => Math.min(error, 0.999 * (y[i] ?? 0))) : errors;
  return Object.assign(graph, { _typename: 'TGraphErrors', fEX: x.map(() => 0), fEY: bounded });
}

/** Colours of cards and texts of the console. */
const INKS = {
  light: { paper: '#ffffff', ink: '#222222' },
  dark: { paper: '#2e2e2e', ink: '#d5d5d5' },
} as const;

/** Room for the axes, whatever the size of the drawing; on a narrow one their titles come closer. */
const AXIS_PIXELS = 84;
const NARROW = { widthPixels: 480, axisPixels: 66 };
const BELOW_PIXELS = 52;
const RIGHT_PIXELS = 20;
const PAPER = { width: 1200, height: 800 };

function setStyle(
  root: Root,
  { isDark, rightTitle }: PlotOptions,
  { width, height }: { readonly width: number; readonly height: number },
): void {
  Object.assign(root.settings, {
    DarkMode: false,
    ContextMenu: true,
    ToolBar: 'popup',
    Latex: 0,
    MoveResize: false,
    SmallPad: { width: 120, height: 80 },
  });
  const axisPixels = width < NARROW.widthPixels ? NARROW.axisPixels : AXIS_PIXELS;
  const { paper } = INKS[isDark ? 'dark' : 'light'];
  const color = root.addColor(paper);
  Object.assign(root.gStyle, {
    fCanvasColor: color,
    fPadColor: color,
    fFrameFillColor: color,
    fFrameLineColor: root.addColor(INKS[isDark ? 'dark' : 'light'].ink),
    fOptTitle: 0,
    fOptStat: 0,
    fPadLeftMargin: Math.min(0.4, axisPixels / Math.max(1, width)),
    fPadRightMargin: Math.min(0.4, (rightTitle === undefined ? RIGHT_PIXELS : axisPixels) / Math.max(1, width)),
    fPadTopMargin: 12 / Math.max(1, height),
    fPadBottomMargin: Math.min(0.4, BELOW_PIXELS / Math.max(1, height)),
  });
}

/** The axes of some lines: all of x, and y from the smallest to the largest value with its error. */
function toFrame(
  root: Root,
  lines: readonly PlotLine[],
  yTitle: string,
  options: PlotOptions,
  isNarrow: boolean,
): RootObject {
  const histogram = root.createHistogram('TH1F', 1);
  const lows = lines.map(({ y }) => y.reduce((least, value) => Math.min(least, value), 0));
  const top = Math.max(...lines.map(({ y, errors }) => axisTop(y, errors)));
  const least = Math.min(...lows);
  const positive = lines.flatMap(({ y }) => y.filter((value) => value > 0));
  const floor = positive.reduce((smallest, value) => Math.min(smallest, value), top);
  Object.assign(histogram, {
    fName: 'frame',
    fMinimum: options.isLogarithmic ? Math.max(floor / 1.5, top / 1e6) : least * AXIS_MARGIN,
    fMaximum: axisEnd(top, options.isLogarithmic) || 1,
    fBits: kCanDelete,
  });
  const ink = root.addColor(INKS[options.isDark ? 'dark' : 'light'].ink);
  const axis = {
    fAxisColor: ink,
    fLabelColor: ink,
    fTitleColor: ink,
    fTitleFont: FONT,
    fTitleSize: 14,
    fLabelFont: FONT,
    fLabelSize: 13,
    fTitleOffset: 1.6,
  };
  Object.assign(histogram.fXaxis as RootObject, { fTitle: options.xTitle, ...axis });
  Object.assign(histogram.fYaxis as RootObject, { fTitle: yTitle, ...axis, fTitleOffset: isNarrow ? 1.9 : 2.4 });
  return histogram;
}

function toMultiGraph(
  root: Root,
  lines: readonly PlotLine[],
  options: PlotOptions,
  width = PAPER.width,
): { readonly graph: RootObject; readonly rightFrame: RootObject } {
  const xs = lines.flatMap(({ x }) => [x[0] ?? 0, x.at(-1) ?? 1]);
  const range = { fXmin: Math.min(...xs), fXmax: Math.max(...xs) };
  const [left, right] = [lines.filter(({ isRight }) => !isRight), lines.filter(({ isRight }) => isRight)];
  const isNarrow = width < NARROW.widthPixels;
  const frame = toFrame(root, left, options.yTitle, options, isNarrow);
  const rightFrame = toFrame(root, right, options.rightTitle ?? '', options, isNarrow);
  for (const { fXaxis } of [frame, rightFrame]) Object.assign(fXaxis as RootObject, range);
  const graphs = lines.map((line) => ({
    ...toGraph(root, line, options),
    ...(line.isRight ? { fHistogram: rightFrame } : {}),
  }));
  const all = Object.assign(root.createTMultiGraph(...graphs), { fHistogram: frame });
  // per line, as TGraphPainter reads it: a line, with its band, over axes of its own on the right
  const drawnBy = (all.fGraphs as { opt: string[] }).opt;
  for (const [i, line] of lines.entries())
    drawnBy[i] = `${line.isRight ? 'a' : ''}l${hasShownBand(line) ? '3' : ''}${line.isRight ? 'Y+' : ''}`;
  return { graph: all, rightFrame };
}

/** Draws lines, or a part of them, into an element of a size in pixels. */
async function drawInto(
  root: Root,
  element: HTMLElement,
  size: { readonly width: number; readonly height: number },
  lines: readonly PlotLine[],
  options: PlotOptions,
  part: Bounds = [],
): Promise<Painter> {
  setStyle(root, options, size);
  const all = toMultiGraph(root, lines, options, size.width);
  const painter = await root.draw(element, all.graph, optionOf(options));
  // JSROOT makes the axis on the right for all values, whatever its frame says
  const { fMinimum: low, fMaximum: high } = all.rightFrame;
  const [xLow, xHigh, yLow, yHigh] = part;
  await painter.getFramePainter()?.zoom(xLow, xHigh, yLow, yHigh, undefined, undefined, true);
  zoomAlongX(painter.getFramePainter(), options.isLogarithmic);
  if (options.rightTitle !== undefined) await painter.getFramePainter()?.zoomSingle('y2', Number(low), Number(high));
  return painter;
}

/** A box that is flatter than this part of the frame was drawn along x. */
const FLAT = 0.3;

/** Whoever drags along the curve wants a part of x: without this, y would shrink to how far the hand went up or down. */
function zoomAlongX(frame: FramePainter | undefined, isLogarithmic: boolean): void {
  if (frame === undefined) return;
  const zoom = frame.zoom.bind(frame);
  const scale = (value: number) => (isLogarithmic ? Math.log(value) : value);
  frame.zoom = (...bounds) => {
    const [xLow, xHigh, yLow = 0, yHigh = 0, ...rest] = bounds;
    const share = (scale(yHigh) - scale(yLow)) / (scale(frame.scale_ymax) - scale(frame.scale_ymin));
    const isAlongX = xLow !== xHigh && share > 0 && share < FLAT;
    return isAlongX ? zoom(xLow, xHigh, undefined, undefined, ...rest) : zoom(...bounds);
  };
}

/** What an element shows. */
interface Drawing {
  readonly frame: FramePainter;
  readonly options: PlotOptions;
}

const drawings = new WeakMap<HTMLElement, Drawing>();

/** Waits while somebody drags in a drawing: one that is taken away under his hand would lose what he chose. */
async function untilReleased(frame: FramePainter, isWanted: () => boolean): Promise<void> {
  while (frame.zoom_kind !== 0 && isWanted()) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** The part that somebody has chosen of a drawing, for the next one with these options; an undefined axis: all of it. */
function chosenPart({ frame, options }: Drawing, next: PlotOptions): Bounds {
  const isSameScale = options.yTitle === next.yTitle && options.isLogarithmic === next.isLogarithmic;
  const hasX = frame.zoomChangedInteractive('x') === true && frame.zoom_xmin !== frame.zoom_xmax;
  const hasY = frame.zoomChangedInteractive('y') === true && frame.zoom_ymin !== frame.zoom_ymax && isSameScale;
  const [xLow, xHigh] = hasX ? [frame.zoom_xmin, frame.zoom_xmax] : [];
  const [yLow, yHigh] = hasY ? [frame.zoom_ymin, frame.zoom_ymax] : [];
  return [xLow, xHigh, yLow, yHigh];
}

const optionOf = ({ isLogarithmic }: PlotOptions) => `al${isLogarithmic ? ',logy' : ''}`;

/** Drawings share one style, and one that is taken away halfway fails: they are made one after another. */
let drawing: Promise<unknown> = Promise.resolve();

/**
 * Draws lines into an element, which it fills. What somebody has zoomed to stays in sight when the lines are drawn again,
 * as they are while results grow.
 * @param isWanted - asked when its turn comes
 * @returns what takes the drawing away; undefined when it was not wanted any more
 */
export function drawLines(
  element: HTMLElement,
  lines: readonly PlotLine[],
  options: PlotOptions,
  isWanted: () => boolean,
): Promise<(() => void) | undefined> {
  const draw = async () => {
    const root = await loadRoot();
    await new Promise((resolve) => setTimeout(resolve)); // one drawing a task: in between the page answers
    const before = drawings.get(element);
    if (before !== undefined) await untilReleased(before.frame, isWanted);
    if (!isWanted()) return undefined;
    const part = before === undefined ? [] : chosenPart(before, options);
    root.cleanup(element);
    const size = { width: element.clientWidth, height: element.clientHeight };
    const painter = await drawInto(root, element, size, lines, options, part);
    const frame = painter.getFramePainter();
    if (frame !== undefined) drawings.set(element, { frame, options });
    const observer = new ResizeObserver(() => painter.getCanvPainter()?.checkCanvasResize(false));
    observer.observe(element);
    return () => observer.disconnect();
  };
  const turn = drawing.then(draw, draw);
  drawing = turn.catch(() => undefined);
  return turn;
}

/** The same drawing as SVG text, on white, for a paper. */
export async function linesAsSvg(lines: readonly PlotLine[], options: PlotOptions): Promise<string> {
  const root = await loadRoot();
  const element = document.createElement('div');
  // what JSROOT does without a display: a drawing that nobody moves
  Object.assign(element, { _batch_mode: true, _batch_use_canvsize: false, _batch_format: null });
  Object.assign(element.style, { display: 'none', width: `${PAPER.width}px`, height: `${PAPER.height}px` });
  document.body.append(element);
  try {
    await drawInto(root, element, PAPER, lines, options);
    const svg = element.querySelector('svg');
    for (const part of element.querySelectorAll<SVGElement>('svg svg, g'))
      if (part.style.display === 'none') part.remove();
    svg?.setAttribute('width', String(PAPER.width));
    svg?.setAttribute('height', String(PAPER.height));
    svg?.removeAttribute('style');
    return svg === null ? '' : new XMLSerializer().serializeToString(svg);
  } finally {
    root.cleanup(element);
    element.remove();
  }
}

/** The lines as JSON that ROOT reads (TBufferJSON::FromJSON), all over the axis on the left: a TMultiGraph has no other. */
export async function linesAsRootJson(lines: readonly PlotLine[], options: PlotOptions): Promise<string> {
  const root = await loadRoot();
  const left = lines.map((line) => ({ ...line, isRight: false }));
  return root.toJSON(toMultiGraph(root, left, options).graph);
}

/** A plane with its errors as a TH2D, as JSON that ROOT reads. */
export async function planeAsRootJson({ axes: [x, y], values, errors, name, unit }: Grid): Promise<string> {
  const root = await loadRoot();
  const [nx, ny] = [x?.centres.length ?? 1, y?.centres.length ?? 1];
  const histogram = root.createHistogram('TH2D', nx, ny);
  const padded = (numbers: Float64Array): Float64Array => {
    const all = new Float64Array((nx + 2) * (ny + 2)); // with bins for what lies outside
    for (let row = 0; row < ny; row++) all.set(numbers.subarray(row * nx, (row + 1) * nx), (row + 1) * (nx + 2) + 1);
    return all;
  };
  const known = values.map((value) => (Number.isNaN(value) ? 0 : value)); // ROOT leaves empty bins without a colour
  Object.assign(histogram, { fName: 'plane', fTitle: name, fArray: padded(known), fEntries: nx * ny });
  if (errors.length > 0) histogram.fSumw2 = padded(errors.map((error) => (Number.isNaN(error) ? 0 : error ** 2)));
  for (const [member, axis] of [
    ['fXaxis', x],
    ['fYaxis', y],
  ] as const) {
    if (axis === undefined) continue;
    const edges = edgesOf(axis);
    Object.assign(histogram[member] as RootObject, {
      fTitle: axisTitle(axis),
      fXmin: edges[0],
      fXmax: edges.at(-1),
      fXbins: edges,
    });
  }
  Object.assign(histogram.fZaxis as RootObject, { fTitle: unit });
  return root.toJSON(histogram);
}
