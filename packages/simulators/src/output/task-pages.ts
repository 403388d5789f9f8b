import type { TaskOutput, TaskPage } from '@tally/merge';
import type { Manifest, ManifestPage, PageSource, SourceAxis } from '../driver.js';
import { OutputError } from '../output-error.js';
import {
  binBorders,
  binCenters,
  binVolumes,
  countAxisBins,
  countingAxis,
  isPlaced,
  type NativeAxis,
  type NativePage,
} from './native-page.js';
import type { OutputReport } from './output-report.js';
import { overDensity, showUnit, timesVolume } from './units.js';

const PER_PRIMARY = '/prim';
/** Of names that files give; results take 256, unless they are configured for less. */
const NAME_CHARACTERS_MAX = 200;
/** Of files without a manifest; results take as many, unless they are configured for less. */
const PAGES_SHOWN_MAX = 1000;
/** What some simulators score where the editor means the energy in a bin. */
const ENERGY_DENSITY = 'MeV/cm^3';

/** Everything that a driver has read of a task. */
export interface NativeOutput {
  readonly engine: string;
  readonly primaries: number;
  /** As `TaskOutput.batches`. */
  readonly batches: number;
  readonly pages: readonly NativePage[];
  readonly report: OutputReport;
}

/**
 * The output of a task in the form in which tasks are merged. With a manifest, its pages and nothing else, each found by
 * the names of its file and of itself in it; without, all pages under the simulator's own names.
 * @throws OutputError `MISSING` for a page that the manifest names and the files do not have, `UNREADABLE` for one that
 * is not what was asked for
 */
export function toTaskOutput(native: NativeOutput, manifest: Manifest | undefined): TaskOutput {
  const { engine, primaries, batches, report } = native;
  const pages = manifest === undefined ? ownPages(native.pages, report) : namedPages(native.pages, manifest, report);
  const warnings = report.warnings();
  return { engine, primaries, batches, counters: {}, ...(warnings.length === 0 ? {} : { warnings }), pages };
}

/** Axes as they can be shown: bins of limits that are no places are counted, and what has no name gets a number. */
function showAxes(page: NativePage, axes: readonly NativeAxis[], report: OutputReport): NativeAxis[] {
  return axes.map((axis, index) => {
    if (axis.bins === 1 && index < axes.length - page.differentialAxes) return axis; // it is left out
    const warn = (message: string): void => report.warn('OUTPUT_UNNAMED', page.file, `"${page.title}" ${message}`);
    const isNamed = axis.name !== '';
    const name = isNamed ? axis.name : `axis ${index + 1}`;
    if (!isNamed) warn(`does not name its ${name}`);
    if (isPlaced(axis)) return isNamed ? axis : { ...axis, name };
    warn(`has no usable limits on the axis ${name}: its bins are counted`);
    return countingAxis(name, axis.bins);
  });
}

function namedPages(pages: readonly NativePage[], manifest: Manifest, report: OutputReport): TaskPage[] {
  const byName = new Map(pages.map((page) => [JSON.stringify([page.file, page.item]), page]));
  return manifest.estimators.flatMap((estimator) =>
    estimator.pages.map((wanted) => {
      const { source } = wanted;
      if (source === undefined) throw new OutputError('UNREADABLE', 'manifest.json', `"${wanted.name}" has no source`);
      const page = byName.get(JSON.stringify([source.file, source.item]));
      if (page === undefined) throw new OutputError('MISSING', source.file, `has no "${source.item}"`);
      return namedPage(page, estimator.name, wanted, { source, report });
    }),
  );
}

function namedPage(
  page: NativePage,
  estimatorName: string,
  wanted: ManifestPage,
  { source, report }: { readonly source: PageSource; readonly report: OutputReport },
): TaskPage {
  const axes = showAxes(page, source.axes === undefined ? page.axes : chooseAxes(page, source.axes, report), report);
  const { binVolumeCm3, densityGcm3 } = source;
  const isDensityOfEnergy = page.unit === ENERGY_DENSITY && source.keyword === 'Energy' && binVolumeCm3 === undefined;
  const isTimesVolume = isDensityOfEnergy || binVolumeCm3 !== undefined;
  const scored = densityGcm3 === undefined ? page.unit : overDensity(page.unit);
  const { unit, factor } = showUnit(isTimesVolume ? timesVolume(scored) : scored, source.keyword);
  const contents = isDensityOfEnergy ? timesVolumes(page.moments, binVolumes(axes)) : page.moments;
  return {
    ...describe({ ...page, axes, unit, isPerPrimary: page.isPerPrimary && !wanted.isAbsolute }),
    estimatorName,
    fileName: page.file,
    pageNumber: wanted.pageNumber,
    pageName: wanted.name,
    scale: ((wanted.scale ?? 1) * factor * (binVolumeCm3 ?? 1)) / (densityGcm3 ?? 1),
    moments: divideByWidths({ ...page, moments: contents }, axes),
  };
}

/** Pages under the simulator's names, in the order of the files and of the pages in each. */
function ownPages(pages: readonly NativePage[], report: OutputReport): TaskPage[] {
  const counts = new Map<string, number>();
  for (const { file, title } of pages.slice(PAGES_SHOWN_MAX, PAGES_SHOWN_MAX + 1)) {
    const count = pages.length - PAGES_SHOWN_MAX;
    report.warn(
      'OUTPUT_LEFT_OUT',
      file,
      `"${title}" and all that follows, ${count} of ${pages.length} pages, is left out`,
    );
  }
  return pages.slice(0, PAGES_SHOWN_MAX).map((page) => {
    const pageNumber = (counts.get(page.file) ?? 0) + 1;
    counts.set(page.file, pageNumber);
    const axes = showAxes(page, page.axes, report);
    return {
      ...describe({ ...page, axes }),
      estimatorName: page.file,
      fileName: page.file,
      pageNumber,
      pageName: plainName(page.title),
      scale: 1,
      moments: divideByWidths(page, axes),
    };
  });
}

function describe(page: NativePage): Pick<TaskPage, 'kind' | 'unit' | 'axes' | 'recordCount'> {
  const { kind, axes, namesAxes, differentialAxes, recordCount } = page;
  const positions = axes.length - differentialAxes;
  const divided = namesAxes ? [] : axes.slice(positions);
  const unit = divided.reduce(
    (text, axis) => (axis.unit === '1' ? text : `${text}/(${axis.unit})`),
    page.unit + (page.isPerPrimary ? PER_PRIMARY : ''),
  );
  const shown = axes.filter((axis, index) => axis.bins > 1 || index >= positions); // a position of one bin says nothing
  const shownAxes = shown.map((axis) => ({
    name: plainName(axis.name),
    unit: plainName(axis.unit),
    centers: binCenters(axis),
  }));
  return { kind, unit: plainName(unit), axes: shownAxes, ...(recordCount === undefined ? {} : { recordCount }) };
}

/** One line, not longer than results take. */
function plainName(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, NAME_CHARACTERS_MAX);
}

/** The deck's axes, if the file has them, axes of one bin may be left out by either; else the file's own. */
function chooseAxes(page: NativePage, axes: readonly SourceAxis[], report: OutputReport): readonly NativeAxis[] {
  const sizes = (list: readonly SourceAxis[]): string =>
    list.flatMap(({ bins }) => (bins > 1 ? [bins] : [])).join(' × ');
  if (sizes(axes) === sizes(page.axes)) return axes;
  const message = `"${page.item}" has ${sizes(page.axes) || 'one'} bins, not ${sizes(axes) || 'one'} as the deck asks`;
  report.warn('OUTPUT_ASSUMED', page.file, `${message}: its axes are those of the file`);
  return page.axes;
}

/** A sum and a sum of squares of numbers per volume, of the same numbers in the bins. */
function timesVolumes(moments: readonly Float64Array[], volumes: Float64Array): Float64Array[] {
  return moments.map((numbers, moment) =>
    numbers.map((number, bin) => number * (volumes[bin] ?? Number.NaN) ** (moment + 1)),
  );
}

/** Contents of bins as densities on the differential axes, which are the last ones. */
function divideByWidths(page: NativePage, axes: readonly NativeAxis[]): readonly Float64Array[] {
  if (!page.isIntegrated) return page.moments;
  const differential = axes.slice(axes.length - page.differentialAxes);
  const positions = countAxisBins(axes.slice(0, axes.length - page.differentialAxes));
  const widths = Float64Array.from({ length: countAxisBins(differential) }, (_, index) => {
    let rest = index;
    return differential.reduce((product, axis) => {
      const [low, high] = binBorders(axis, rest % axis.bins);
      rest = Math.floor(rest / axis.bins);
      return product * (high - low);
    }, 1);
  });
  // the first moment is a sum, the second one of squares
  return page.moments.map((numbers, moment) =>
    numbers.map((number, bin) => number / (widths[Math.floor(bin / positions)] ?? Number.NaN) ** (moment + 1)),
  );
}
