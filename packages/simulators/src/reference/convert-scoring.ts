import type { Modifier as EngineModifier, Output as EngineOutput, Quantity as EngineQuantity } from '@tally/engine';
import type { ConversionReport } from '../deck/conversion-report.js';
import type { MaterialTable } from '../deck/material-table.js';
import type { DetectorTable } from '../deck/scoring/detector-table.js';
import { listAxes } from '../deck/scoring/list-axes.js';
import { listOutputs, type ScoredQuantity } from '../deck/scoring/list-outputs.js';
import { warnOfOffset } from '../deck/scoring/warn-of-offset.js';
import type { Manifest, ManifestPage } from '../driver.js';
import type { Project } from '../project/project.js';
import type { Quantity } from '../project/scoring.js';
import { convertFilter } from './convert-filter.js';

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
  const { project, detectors, report } = context;
  const outputs: EngineOutput[] = [];
  const estimators: Manifest['estimators'][number][] = [];
  for (const { output, path, name, detector, quantities } of listOutputs(project, detectors, report)) {
    const problemPath = `/outputs/${outputs.length}`;
    report.trace(problemPath, path);
    for (const [index, scored] of quantities.entries())
      traceQuantity(scored, `${problemPath}/quantities/${index}`, report);
    outputs.push({ name, detector, quantities: quantities.map((scored) => convertQuantity(scored, context)) });
    estimators.push({ name, outputUuid: output.uuid, pages: quantities.map(describePage) });
  }
  return { outputs, estimators };
}

function describePage({ quantity, pageNumber }: ScoredQuantity): ManifestPage {
  return {
    pageNumber,
    name: quantity.name,
    quantityUuid: quantity.uuid,
    isAbsolute: quantity.primaries !== undefined,
  };
}

function convertQuantity(scored: ScoredQuantity, context: ScoringContext): EngineQuantity {
  const { quantity, path, filter, scale } = scored;
  const { report } = context;
  warnOfOffset(scored, report);
  if (quantity.medium !== undefined) {
    report.refuse(`${path}/medium`, `"${quantity.name}": the engine scores the neutron kerma of the local medium only`);
  }
  return {
    name: quantity.name,
    keyword: quantity.keyword,
    modifiers: convertModifiers(quantity, path, report),
    ...(filter === undefined
      ? {}
      : { filter: convertFilter(filter.filter, filter.path, context.project.beam, report) }),
    ...(quantity.materialUuid === undefined ? {} : { material: context.materials.place(quantity, path) }),
    scale,
  };
}

function traceQuantity({ quantity, path }: ScoredQuantity, problemPath: string, report: ConversionReport): void {
  report.trace(problemPath, path);
  report.trace(`${problemPath}/keyword`, `${path}/keyword`);
  report.trace(`${problemPath}/material`, `${path}/materialUuid`);
  report.trace(`${problemPath}/filter`, `${path}/filter`);
  for (const index of quantity.modifiers.keys()) {
    report.trace(`${problemPath}/modifiers/${index}`, `${path}/modifiers/${index}`);
  }
}

function convertModifiers(quantity: Quantity, path: string, report: ConversionReport): EngineModifier[] {
  return listAxes(quantity, path, report).map((axis) => ({
    type: axis.diffType,
    lower: axis.lowerLimit,
    upper: axis.upperLimit,
    bins: axis.binsNumber,
    log: axis.isLog,
  }));
}
