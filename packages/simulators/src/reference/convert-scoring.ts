import type { Modifier as EngineModifier, Output as EngineOutput, Quantity as EngineQuantity } from '@tally/engine';
import type { Manifest } from '../driver.js';
import { MEV_PER_UNIT } from '../project/filter.js';
import type { Project } from '../project/project.js';
import type { Output, Quantity } from '../project/scoring.js';
import type { ConversionReport } from './conversion-report.js';
import type { DetectorTable } from './convert-detectors.js';
import { convertFilter } from './convert-filter.js';
import type { MaterialTable } from './material-table.js';

/** Quantities that count something per primary: only they can be scaled to a number of primaries or by a factor. */
const SCALABLE = [
  'Dose',
  'DoseGy',
  'DDD',
  'Energy',
  'Fluence',
  '1MeVNEq',
  'Alanine',
  'DoseEqv',
  'EqvDose',
  'NEqvDose',
  'NKERMA',
];
/** The one quantity whose axis the editor writes as a histogram. */
const SPECTRUM = 'KineticEnergySpectrum';

/** The tables that outputs refer into. */
export interface ScoringContext {
  readonly project: Project;
  readonly materials: MaterialTable;
  readonly detectors: DetectorTable;
  readonly report: ConversionReport;
}

/** The project's outputs as the engine scores them, and the manifest that ties its pages to the project. */
export function convertScoring(context: ScoringContext): {
  readonly outputs: EngineOutput[];
  readonly estimators: Manifest['estimators'];
} {
  const { report } = context;
  const outputs: EngineOutput[] = [];
  const estimators: Manifest['estimators'][number][] = [];
  const names = new Set<string>();
  for (const [index, output] of context.project.scoringManager.outputs.entries()) {
    const path = `/scoringManager/outputs/${index}`;
    if (output.trace)
      report.refuse(`${path}/trace`, `output "${output.name}" asks for particle traces, which are not supported`);
    if (output.quantities.length === 0) {
      if (!output.trace) report.warn('OUTPUT_EMPTY', `output "${output.name}" has no quantities and is left out`);
      continue;
    }
    const detector = context.detectors.place(output, path);
    if (detector === undefined) continue;
    report.trace(`/outputs/${outputs.length}`, path);
    const name = claimName(output, index, names, report);
    const quantities = output.quantities.map((quantity, quantityIndex) => {
      const quantityPath = `${path}/quantities/${quantityIndex}`;
      traceQuantity(quantity, `/outputs/${outputs.length}/quantities/${quantityIndex}`, quantityPath, report);
      return convertQuantity(quantity, quantityPath, context);
    });
    outputs.push({ name, detector, quantities });
    estimators.push({ name, outputUuid: output.uuid, pages: output.quantities.map(describePage) });
  }
  if (outputs.length === 0 && report.items.length === 0) {
    report.refuse('/scoringManager/outputs', 'must have an output with a quantity: nothing would be scored');
  }
  return { outputs, estimators };
}

function describePage(quantity: Quantity, index: number): Manifest['estimators'][number]['pages'][number] {
  return {
    pageNumber: index + 1,
    name: quantity.name,
    quantityUuid: quantity.uuid,
    isAbsolute: quantity.primaries !== undefined,
  };
}

/** Results are found by name, so that an output without one, and the second of two outputs of one name, get another. */
function claimName({ name }: Output, index: number, taken: Set<string>, report: ConversionReport): string {
  const wanted = name === '' ? `output_${index + 1}` : name;
  let unique = wanted;
  for (let number = 2; taken.has(unique); number += 1) unique = `${wanted}_${number}`;
  if (unique !== name) report.warn('OUTPUT_RENAMED', `output ${index + 1} ("${name}") is called "${unique}"`);
  taken.add(unique);
  return unique;
}

function convertQuantity(quantity: Quantity, path: string, context: ScoringContext): EngineQuantity {
  const { report, project } = context;
  const filters = project.scoringManager.filters;
  const filterIndex = filters.findIndex(({ uuid }) => uuid === quantity.filter);
  const filter = filters[filterIndex];
  if (quantity.offset !== undefined && quantity.offset !== 0) {
    report.refuse(`${path}/offset`, `an offset on "${quantity.name}" is not supported`);
  }
  if (quantity.medium !== undefined) {
    report.warn('KERMA_MEDIUM_UNUSED', `"${quantity.name}" does not depend on the kerma medium ${quantity.medium}`);
  }
  return {
    name: quantity.name,
    keyword: quantity.keyword,
    modifiers: convertModifiers(quantity, path, report),
    ...(filter === undefined
      ? {}
      : { filter: convertFilter(filter, `/scoringManager/filters/${filterIndex}`, project.project.simulator, report) }),
    ...(quantity.materialUuid === undefined ? {} : { material: context.materials.place(quantity, path) }),
    scale: convertScale(quantity, path, report),
  };
}

function traceQuantity(quantity: Quantity, problemPath: string, path: string, report: ConversionReport): void {
  report.trace(problemPath, path);
  report.trace(`${problemPath}/keyword`, `${path}/keyword`);
  report.trace(`${problemPath}/material`, `${path}/materialUuid`);
  for (const index of quantity.modifiers.keys()) {
    report.trace(`${problemPath}/modifiers/${index}`, `${path}/modifiers/${index}`);
  }
}

function convertModifiers(quantity: Quantity, path: string, report: ConversionReport): EngineModifier[] {
  const modifiers = quantity.modifiers.map((axis) => ({
    type: axis.diffType,
    lower: axis.lowerLimit,
    upper: axis.upperLimit,
    bins: axis.binsNumber,
    log: axis.isLog,
  }));
  return quantity.keyword === SPECTRUM && modifiers.length === 0 ? convertHistogram(quantity, path, report) : modifiers;
}

function convertHistogram(quantity: Quantity, path: string, report: ConversionReport): EngineModifier[] {
  const { histogramNBins: bins, histogramMin: min, histogramMax: max, histogramUnit: unit = 'MeV' } = quantity;
  const log = quantity.histogramXBinScheme === 'log';
  if (bins === undefined || min === undefined || max === undefined) {
    report.refuse(`${path}/histogramNBins`, `"${quantity.name}" must have a histogram or a differential axis`);
    return [];
  }
  if (min >= max) report.refuse(`${path}/histogramMax`, 'must be larger than histogramMin');
  if (log && min <= 0) report.refuse(`${path}/histogramMin`, 'must be larger than 0 with logarithmic bins');
  const mev = MEV_PER_UNIT[unit];
  return [{ type: 'E', lower: min * mev, upper: max * mev, bins, log }];
}

/** Both factors of the editor, multiplied: to a number of primaries, and the user's own. */
function convertScale(quantity: Quantity, path: string, report: ConversionReport): number {
  const { primaries, rescale, keyword } = quantity;
  if ((primaries !== undefined || rescale !== undefined) && !SCALABLE.includes(keyword)) {
    report.refuse(`${path}/${primaries === undefined ? 'rescale' : 'primaries'}`, `${keyword} cannot be scaled`);
  }
  return (primaries ?? 1) * (rescale ?? 1);
}
