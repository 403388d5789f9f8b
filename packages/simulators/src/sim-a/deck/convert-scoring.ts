import type { ConversionReport } from '../../deck/conversion-report.js';
import { createNameTable, FILE_NAME_RULES, type NameTable } from '../../deck/name-table.js';
import { formatShort } from '../../deck/number-format.js';
import { listAxes } from '../../deck/scoring/list-axes.js';
import type { ScoredOutput, ScoredQuantity } from '../../deck/scoring/list-outputs.js';
import { describeAxes } from '../../deck/scoring/page-axes.js';
import type { Manifest, ManifestPage } from '../../driver.js';
import { type Modifier, SPECTRUM } from '../../project/scoring.js';
import { block, convertDetector } from './convert-detectors.js';
import { convertFilter } from './convert-filter.js';
import { convertSettings, type QuantitySettings, settingsBlock } from './convert-settings.js';
import { DIFFERENTIAL_TYPES, KEYWORDS } from './quantity.js';
import type { ScoringContext } from './scoring-context.js';

/** The only format that is read back. */
const FILE_FORMAT = 'BDO2019';
/** Files get it from the simulator's name for them; it is no part of the estimator's name. */
const FILE_EXTENSION = '.bdo';

/** The parts of `detect.dat` while it grows: filters and settings are written once, under names of their own. */
interface ScoringNames {
  readonly detectors: NameTable;
  readonly files: NameTable;
  /** Filters and settings share the line that names them, so that no two may have one name. */
  readonly selections: NameTable;
  readonly filters: Map<string, string>;
  readonly settings: Map<string, string>;
}

/**
 * `detect.dat`: geometries, filters, settings, outputs. Names have no blanks and are unique; an output of a zone gets a
 * geometry of its own, and a quantity as many as two differential axes, on both of which the reference converter fails.
 */
export function convertScoring(context: ScoringContext): { text: string; estimators: Manifest['estimators'] } {
  const { detectors, outputs, zones, report } = context;
  const names: ScoringNames = {
    detectors: createNameTable(FILE_NAME_RULES),
    files: createNameTable(FILE_NAME_RULES),
    selections: createNameTable(FILE_NAME_RULES, KEYWORDS),
    filters: new Map(),
    settings: new Map(),
  };
  const geometries = detectors.map((detector, index) =>
    convertDetector(
      detector,
      names.detectors.claim(`${index}`, detector.name),
      zones,
      report.originOf(`/detectors/${index}`),
      report,
    ),
  );
  const blocks = outputs.map((output) => outputBlock(output, names, context));
  const text = [...geometries, ...names.filters.values(), ...names.settings.values(), ...blocks].join('\n');
  return { text, estimators: outputs.map((output) => describeEstimator(output, names, context)) };
}

function outputBlock(scored: ScoredOutput, names: ScoringNames, context: ScoringContext): string {
  const { output, path, name, detector } = scored;
  if (output.fileFormat !== undefined && output.fileFormat !== FILE_FORMAT) {
    const message = `output "${name}" is written as ${FILE_FORMAT}, whatever format it asks for`;
    context.report.warn('FILE_FORMAT_UNUSED', message);
  }
  return block('Output', [
    `Filename ${names.files.claim(path, name)}${FILE_EXTENSION}`,
    ...(output.fileFormat === undefined ? [] : [`Fileformat ${FILE_FORMAT}`]),
    `Geo ${names.detectors.claim(`${detector}`, '')}`,
    ...scored.quantities.flatMap((quantity) => quantityLines(quantity, names, context)),
  ]);
}

function quantityLines(scored: ScoredQuantity, names: ScoringNames, context: ScoringContext): string[] {
  const { quantity, path } = scored;
  const selections = [filterName(scored, names, context), settingsName(scored, names, context)];
  const words = ['Quantity', simulatorKeyword(scored, context.report), ...selections];
  const axes = listAxes(quantity, path, context.report);
  return [
    words.filter((word) => word !== undefined).join(' '),
    ...axes.flatMap((axis, index) => axisLines(axis, index, path, context.report)),
  ];
}

function simulatorKeyword({ quantity, path }: ScoredQuantity, report: ConversionReport): string {
  if (quantity.keyword === SPECTRUM) return 'Fluence';
  const keyword = KEYWORDS.find((known) => known === quantity.keyword);
  if (keyword === undefined) report.refuse(`${path}/keyword`, `quantity "${quantity.keyword}" is not supported`);
  return keyword ?? quantity.keyword;
}

function axisLines(axis: Modifier, index: number, path: string, report: ConversionReport): string[] {
  const { diffType, lowerLimit, upperLimit, binsNumber, isLog } = axis;
  if (!DIFFERENTIAL_TYPES.includes(diffType)) {
    report.refuse(`${path}/modifiers/${index}/diffType`, `differential axis "${diffType}" is not supported`);
  }
  const limits = `${formatShort(lowerLimit)} ${formatShort(upperLimit)} ${binsNumber}${isLog ? ' log' : ''}`;
  return [`Diff${index + 1} ${limits}`, `Diff${index + 1}Type ${diffType}`];
}

function filterName(
  { filter: used }: ScoredQuantity,
  names: ScoringNames,
  context: ScoringContext,
): string | undefined {
  if (used === undefined) return undefined;
  const { filter, path } = used;
  const name = names.selections.claim(`filter ${filter.uuid}`, filter.name);
  if (!names.filters.has(name)) {
    names.filters.set(name, convertFilter(filter, name, { path, report: context.report }));
  }
  return name;
}

function settingsName(
  { quantity, path }: ScoredQuantity,
  names: ScoringNames,
  context: ScoringContext,
): string | undefined {
  const settings: QuantitySettings | undefined = convertSettings(quantity, path, context);
  if (settings === undefined) return undefined;
  const name = names.selections.claim(`settings ${path}`, settings.name);
  names.settings.set(name, settingsBlock(name, settings));
  return name;
}

function describeEstimator(
  { output, path, name, detector, quantities }: ScoredOutput,
  names: ScoringNames,
  { detectors, report }: ScoringContext,
): Manifest['estimators'][number] {
  const place = detectors[detector];
  const describePage = ({ quantity, path: quantityPath, pageNumber }: ScoredQuantity): ManifestPage => ({
    pageNumber,
    name: quantity.name,
    quantityUuid: quantity.uuid,
    isAbsolute: quantity.primaries !== undefined,
    source: {
      file: names.files.claim(path, name),
      item: `${pageNumber - 1}`,
      keyword: quantity.keyword,
      ...(place === undefined ? {} : { axes: describeAxes(place, listAxes(quantity, quantityPath, report)) }),
    },
  });
  return { name, outputUuid: output.uuid, pages: quantities.map(describePage) };
}
