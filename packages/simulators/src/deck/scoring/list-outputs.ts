import type { Filter, UnfinishedFilter } from '../../project/filter.js';
import type { Project } from '../../project/project.js';
import { type Output, type Quantity, SCALABLE_KEYWORDS } from '../../project/scoring.js';
import type { ConversionReport } from '../conversion-report.js';
import { spendSteps } from '../steps.js';
import { createUniqueNames, type UniqueNames } from '../unique-names.js';
import type { DetectorTable } from './detector-table.js';

/** An output that will be scored. */
export interface ScoredOutput {
  readonly output: Output;
  /** JSON pointer into the project. */
  readonly path: string;
  /** Name of its estimator, unique in the project. */
  readonly name: string;
  /** Index into the table of detectors. */
  readonly detector: number;
  readonly quantities: readonly ScoredQuantity[];
}

export interface ScoredQuantity {
  readonly quantity: Quantity;
  readonly path: string;
  /** From 1, within its estimator: the page that the quantity becomes. */
  readonly pageNumber: number;
  readonly filter?: { readonly filter: Filter; readonly path: string };
  /** Both factors of the editor, multiplied: to a number of primaries, and the user's own. */
  readonly scale: number;
}

/**
 * The project's outputs in its order, with what each refers to, less what is omitted. Outputs without quantities are left
 * out with a warning; outputs without a detector, factors on averages, and a project that scores nothing are refused.
 */
export function listOutputs(project: Project, detectors: DetectorTable, report: ConversionReport): ScoredOutput[] {
  const outputs: ScoredOutput[] = [];
  const names = createUniqueNames();
  for (const [index, output] of project.scoringManager.outputs.entries()) {
    const path = `/scoringManager/outputs/${index}`;
    if (output.quantities.length === 0) {
      report.warn('OUTPUT_EMPTY', `output "${output.name}" has no quantities and is left out`);
      continue;
    }
    const quantities = listQuantities(project, output, path, report);
    if (quantities.length === 0) continue;
    const detector = detectors.place(output, path);
    if (detector === undefined) continue;
    const name = claimName(output, index, names, report);
    outputs.push({ output, path, name, detector, quantities });
  }
  if (outputs.length === 0 && report.items.length === 0) {
    report.refuse('/scoringManager/outputs', 'must have an output with a quantity: nothing would be scored');
  }
  return outputs;
}

function listQuantities(project: Project, output: Output, path: string, report: ConversionReport): ScoredQuantity[] {
  const { filters } = project.scoringManager;
  const placed = output.quantities.map((quantity, index) => ({
    quantity,
    quantityPath: `${path}/quantities/${index}`,
  }));
  const scored = placed.filter(({ quantityPath }) => !project.omitted.has(quantityPath));
  return scored.map(({ quantity, quantityPath }, index) => {
    const filterIndex = filters.findIndex(({ uuid }) => uuid === quantity.filter);
    const filterPath = `/scoringManager/filters/${filterIndex}`;
    const filter = finishedFilter(filters[filterIndex], filterPath, report);
    if (filter?.variant === 'custom') spendSteps(filter.rules.length); // each quantity repeats them
    return {
      quantity,
      path: quantityPath,
      pageNumber: index + 1,
      scale: readScale(quantity, quantityPath, report),
      ...(filter === undefined ? {} : { filter: { filter, path: filterPath } }),
    };
  });
}

function finishedFilter(
  filter: Filter | UnfinishedFilter | undefined,
  path: string,
  report: ConversionReport,
): Filter | undefined {
  if (filter?.variant !== 'unfinished') return filter;
  const { name, fault } = filter;
  report.refuse(`${path}${fault.path}`, `filter "${name}" is not finished: ${fault.message}`);
  return undefined;
}

/** Results are found by name, so that an output without one, and the second of two outputs of one name, get another. */
function claimName({ name }: Output, index: number, names: UniqueNames, report: ConversionReport): string {
  const wanted = name === '' ? `output_${index + 1}` : name;
  const unique = names.claim(wanted, (number) => `${wanted}_${number}`);
  if (unique !== name) report.warn('OUTPUT_RENAMED', `output ${index + 1} ("${name}") is called "${unique}"`);
  return unique;
}

function readScale(quantity: Quantity, path: string, report: ConversionReport): number {
  const { primaries, rescale, keyword } = quantity;
  // the editor shows primaries for these alone, and rescale for all
  if (rescale !== undefined && !SCALABLE_KEYWORDS.includes(keyword)) {
    report.refuse(`${path}/rescale`, `${keyword} cannot be scaled`);
  }
  return (primaries ?? 1) * (rescale ?? 1);
}
