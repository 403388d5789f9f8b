import type { PageKind } from '@tally/merge';
import {
  countAxisBins,
  countingAxis,
  momentsOfMeans,
  momentsOfSums,
  type NativeAxis,
  type NativePage,
} from '../../output/native-page.js';
import { differentialAxes, spatialAxes } from './bdo-axes.js';
import type { BdoContext } from './bdo-context.js';
import {
  kindOfDetectorType,
  NORMALISATION_KINDS,
  nameDetectorType,
  nameUnit,
  PHASE_SPACE_COLUMNS,
  PHASE_SPACE_TYPE,
} from './bdo-tables.js';
import { type BdoTokens, numberOf, TAG } from './bdo-tokens.js';

/** A page as the file has it. */
export interface BdoPage {
  readonly tokens: BdoTokens;
  readonly data: Float64Array;
}

/**
 * A page of a file of items: what the file does not name is numbered, with a warning.
 * @param file - items of the whole file
 */
export function toNativePage(page: BdoPage, file: BdoTokens, primaries: number, context: BdoContext): NativePage {
  const { tokens, data } = page;
  const type = numberOf(tokens, TAG.page) ?? 0;
  const item = String(numberOf(tokens, TAG.pageNumber) ?? 0);
  const title = nameQuantity(type, tokens.get(TAG.filter)?.text ?? '', context);
  const kind = findKind(type, numberOf(tokens, TAG.normalisation), context);
  const named = { file: context.file, item, title, kind, isIntegrated: false, isPerPrimary: kind === 'linear' };
  if (kind === 'list') return { ...named, ...readRecords(type, data, context) };
  const differential = differentialAxes(tokens);
  const axes = [...spatialAxes(file, context), ...differential];
  const unit = tokens.get(TAG.dataUnit)?.text;
  return {
    ...named,
    ...fitAxes({ axes, differentialAxes: differential.length }, data.length, title, context),
    unit: unit === undefined || unit === '' ? nameUnitOf(numberOf(tokens, TAG.units) ?? 0, title, context) : unit,
    // the unit of a differential page has those of its axes in it
    namesAxes: unit !== undefined,
    moments: momentsOf(kind, data, primaries),
  };
}

/** Arrays of a page of any kind but a list from its one number a bin. */
export function momentsOf(kind: PageKind, data: Float64Array, primaries: number): Float64Array[] {
  switch (kind) {
    case 'linear':
      return momentsOfSums(data, primaries);
    case 'average':
      return momentsOfMeans(data, primaries);
    default:
      return [data];
  }
}

/** What was scored, and the filter that chose it. */
export function nameQuantity(type: number, filter: string, { fileName, report }: BdoContext): string {
  const name = nameDetectorType(type);
  if (name === undefined) report.warn('OUTPUT_UNNAMED', fileName, `the quantity of number ${type} is not known here`);
  const quantity = name ?? `TYPE-${type}`;
  return filter === '' ? quantity : `${quantity} (${filter})`;
}

/** The axes, if they have as many bins as there are numbers; else these are counted. */
export function fitAxes(
  page: { readonly axes: readonly NativeAxis[]; readonly differentialAxes: number },
  count: number,
  title: string,
  { fileName, report }: BdoContext,
): Pick<NativePage, 'axes' | 'differentialAxes'> {
  const bins = countAxisBins(page.axes);
  if (bins === count) return page;
  report.warn('OUTPUT_UNNAMED', fileName, `${title} has ${count} numbers and axes of ${bins} bins: they are counted`);
  return { axes: [countingAxis('bin', Math.max(count, 1))], differentialAxes: 0 };
}

function nameUnitOf(unit: number, title: string, { fileName, report }: BdoContext): string {
  const name = nameUnit(unit);
  if (name === undefined)
    report.warn('OUTPUT_UNNAMED', fileName, `${title} has the unit of number ${unit}, not known here`);
  return name ?? '1';
}

function findKind(type: number, normalisation: number | undefined, { fileName, report }: BdoContext): PageKind {
  if (type === PHASE_SPACE_TYPE) return 'list';
  if (normalisation === undefined) return kindOfDetectorType(type);
  const kind = NORMALISATION_KINDS[normalisation];
  if (kind !== undefined) return kind;
  const message = `pages of the normalisation ${normalisation}, not known here, are averaged over the tasks`;
  report.warn('OUTPUT_ASSUMED', fileName, message);
  return 'average';
}

/** Records one after the other, of which tasks have any number; where they were scored says nothing of it. */
function readRecords(
  type: number,
  data: Float64Array,
  { fileName, report }: BdoContext,
): Omit<NativePage, 'file' | 'item' | 'title' | 'kind' | 'isIntegrated' | 'isPerPrimary'> {
  const columns = type === PHASE_SPACE_TYPE ? PHASE_SPACE_COLUMNS : 1;
  if (columns === 1) report.warn('OUTPUT_UNNAMED', fileName, 'records that are no phase space are single numbers');
  const records = Math.floor(data.length / columns);
  if (records * columns !== data.length) {
    report.warn('OUTPUT_LEFT_OUT', fileName, 'the last particle of phase space is not whole, and is left out');
  }
  return {
    unit: '',
    namesAxes: true,
    axes: [{ ...countingAxis('column', columns), unit: '' }],
    differentialAxes: 0,
    recordCount: records,
    moments: [data.slice(0, records * columns)],
  };
}
