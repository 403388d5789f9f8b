import { axisTitle, edgesOf, type Grid } from '../page-data.js';
import type { Chart, Series } from '../plot/chart.js';
import { layOut } from '../plot/chart.js';
import { quantityWords } from '../plot/rich-text.js';

/*
 * Objects of ROOT as TBufferJSON writes and reads them: each with all members of its class, in the versions of ROOT 6. The numbers are ROOT's own
 * defaults, as JSROOT makes them; its reader checks them in a test.
 */

type RootObject = Readonly<Record<string, unknown>>;

const named = (type: string, name: string, title: string, bits = 0): RootObject => ({
  _typename: type,
  fUniqueID: 0,
  fBits: bits,
  fName: name,
  fTitle: title,
});

const list = (items: readonly RootObject[] = [], options: readonly string[] = []): RootObject => ({
  _typename: 'TList',
  name: 'TList',
  arr: items,
  opt: options,
});

const line = { fLineColor: 1, fLineStyle: 1, fLineWidth: 2 };
const fill = { fFillColor: 0, fFillStyle: 1001 };
const marker = { fMarkerColor: 1, fMarkerStyle: 1, fMarkerSize: 1 };
/** kMustCleanup and kHasUUID are left out; this says that the object owns what it holds. */
const MUST_CLEANUP = 8;

interface AxisShape {
  readonly title: string;
  readonly low: number;
  readonly high: number;
  readonly bins: number;
  readonly edges?: readonly number[];
}

const axis = (name: string, { title, low, high, bins, edges = [] }: AxisShape): RootObject => ({
  ...named('TAxis', name, title),
  fNdivisions: 510,
  fAxisColor: 1,
  fLabelColor: 1,
  fLabelFont: 42,
  fLabelOffset: 0.005,
  fLabelSize: 0.035,
  fTickLength: 0.03,
  fTitleOffset: 1,
  fTitleSize: 0.035,
  fTitleColor: 1,
  fTitleFont: 42,
  fNbins: bins,
  fXmin: low,
  fXmax: high,
  fXbins: edges,
  fFirst: 0,
  fLast: 0,
  fBits2: 0,
  fTimeDisplay: false,
  fTimeFormat: '',
  fLabels: null,
  fModLabs: null,
});

const NONE: AxisShape = { title: '', low: 0, high: 1, bins: 1 };

interface HistogramShape {
  readonly type: 'TH1F' | 'TH2D';
  readonly name: string;
  readonly title: string;
  readonly x: AxisShape;
  readonly y: AxisShape;
  readonly z?: string;
  readonly contents: readonly number[];
  readonly squares?: readonly number[];
  readonly entries?: number;
  readonly least?: number;
  readonly most?: number;
}

const histogram = (shape: HistogramShape): RootObject => ({
  ...named(shape.type, shape.name, shape.title, MUST_CLEANUP),
  ...line,
  ...fill,
  ...marker,
  fNcells: shape.contents.length,
  fXaxis: axis('xaxis', shape.x),
  fYaxis: axis('yaxis', shape.y),
  fZaxis: axis('zaxis', { ...NONE, title: shape.z ?? '' }),
  fBarOffset: 0,
  fBarWidth: 1000,
  fEntries: shape.entries ?? 0,
  fTsumw: 0,
  fTsumw2: 0,
  fTsumwx: 0,
  fTsumwx2: 0,
  fMaximum: shape.most ?? -1111,
  fMinimum: shape.least ?? -1111,
  fNormFactor: 0,
  fContour: [],
  fSumw2: shape.squares ?? [],
  fOption: '',
  fFunctions: list(),
  fBufferSize: 0,
  fBuffer: [],
  fBinStatErrOpt: 0,
  fStatOverflows: 2,
  ...(shape.type === 'TH2D' ? { fScalefactor: 1, fTsumwy: 0, fTsumwy2: 0, fTsumwxy: 0 } : {}),
  fArray: shape.contents,
});

/** Colours of ROOT that are about ours: kTeal-7, kOrange+7, kAzure+2, kMagenta-9, kOrange-2, kAzure+1, kViolet+6, kGray+1. */
const ROOT_COLORS = [833, 807, 862, 607, 798, 861, 886, 921];

function graph({ label, x, y, errors }: Series, index: number): RootObject {
  const hasErrors = errors.length > 0;
  const color = ROOT_COLORS[index % ROOT_COLORS.length] ?? 1;
  return {
    ...named(hasErrors ? 'TGraphErrors' : 'TGraph', `graph${index}`, label),
    ...line,
    ...fill,
    ...marker,
    fLineColor: color,
    fMarkerColor: color,
    fFunctions: list(),
    fHistogram: null,
    fMaxSize: x.length,
    fMaximum: -1111,
    fMinimum: -1111,
    fNpoints: x.length,
    fX: x,
    fY: y,
    ...(hasErrors ? { fEX: x.map(() => 0), fEY: errors.map((error) => error ?? 0) } : {}),
  };
}

/** A chart as a TMultiGraph, JSON that ROOT reads (TBufferJSON::FromJSON); all curves over the axis on the left: it has no other. */
export function chartAsRootJson(chart: Chart): string {
  const format = {
    width: 600,
    height: 400,
    fontSize: 10,
    lineWidth: 1,
    hasLegend: false,
    ink: '',
    grid: '',
    fontFamily: '',
    letterWidth: 1,
  };
  const { x, y } = layOut(
    { ...chart, right: undefined, series: chart.series.map((one) => ({ ...one, isRight: false })) },
    format,
  );
  const [low = 0, high = 1] = x.scale.domain();
  const [least = 0, most = 1] = y.scale.domain();
  const frame = histogram({
    type: 'TH1F',
    name: 'frame',
    title: chart.title,
    x: { title: quantityWords(chart.x.name, chart.x.unit), low, high, bins: 1 },
    y: { ...NONE, title: quantityWords(chart.y.name, chart.y.unit) },
    contents: [0, 0, 0],
    least,
    most,
  });
  return JSON.stringify({
    ...named('TMultiGraph', 'curves', chart.title),
    fFunctions: list(),
    fGraphs: list(
      chart.series.map(graph),
      chart.series.map(() => 'l'),
    ),
    fHistogram: frame,
    fMaximum: most,
    fMinimum: least,
  });
}

/** A plane with its errors as a TH2D, as JSON that ROOT reads. */
export function planeAsRootJson({ axes: [x, y], values, errors, name, unit }: Grid): string {
  const [nx, ny] = [x?.centres.length ?? 1, y?.centres.length ?? 1];
  const padded = (numbers: Float64Array): number[] => {
    const all = new Float64Array((nx + 2) * (ny + 2)); // with bins for what lies outside
    for (let row = 0; row < ny; row++) all.set(numbers.subarray(row * nx, (row + 1) * nx), (row + 1) * (nx + 2) + 1);
    return [...all];
  };
  const shapeOf = (one: Grid['axes'][number] | undefined): AxisShape => {
    if (one === undefined) return NONE;
    const edges = edgesOf(one);
    return { title: axisTitle(one), low: edges[0] ?? 0, high: edges.at(-1) ?? 1, bins: one.centres.length, edges };
  };
  const known = values.map((value) => (Number.isNaN(value) ? 0 : value)); // ROOT leaves empty bins without a colour
  return JSON.stringify(
    histogram({
      type: 'TH2D',
      name: 'plane',
      title: name,
      x: shapeOf(x),
      y: shapeOf(y),
      z: unit,
      contents: padded(known),
      squares: errors.length > 0 ? padded(errors.map((error) => (Number.isNaN(error) ? 0 : error ** 2))) : [],
      entries: nx * ny,
    }),
  );
}
