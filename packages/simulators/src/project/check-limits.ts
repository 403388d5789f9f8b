import type { ConversionItem } from '../conversion-error.js';
import { countDetectorBins } from './detector.js';
import type { ProjectLimits } from './limits.js';
import { listFigures } from './list-figures.js';
import type { Project } from './project.js';
import type { Output, Quantity } from './scoring.js';

/** Everything of a project that goes beyond a limit, each named with its limit. */
export function checkLimits(project: Project, limits: ProjectLimits): ConversionItem[] {
  const { outputs, filters } = project.scoringManager;
  const { zones } = project.zoneManager;
  const items: ConversionItem[] = [];
  const check = (path: string, noun: string, count: number, max: number): void => {
    if (count > max) items.push({ path, message: `must have at most ${max} ${noun}, has ${count}` });
  };

  const operations = zones.flatMap((zone) => zone.unionOperations.flat());
  const rules = filters.flatMap((filter) => (filter.variant === 'custom' ? filter.rules : []));
  const quantities = outputs.flatMap((output) => output.quantities);
  check('/figureManager/figures', 'figures', listFigures(project.figureManager.figures).length, limits.figuresMax);
  check('/zoneManager/zones', 'zones', zones.length, limits.zonesMax);
  check('/zoneManager/zones', 'boolean operations', operations.length, limits.zoneOperationsMax);
  const { materials } = project.materialManager;
  check('/materialManager/materials', 'materials', materials.length, limits.materialsMax);
  const { detectors } = project.detectorManager;
  check('/detectorManager/detectors', 'detectors', detectors.length, limits.detectorsMax);
  check('/scoringManager/outputs', 'outputs', outputs.length, limits.outputsMax);
  check('/scoringManager/outputs', 'quantities', quantities.length, limits.quantitiesMax);
  check('/scoringManager/filters', 'filters', filters.length, limits.filtersMax);
  check('/scoringManager/filters', 'filter rules', rules.length, limits.filterRulesMax);
  const primaries = project.beam.numberOfParticles;
  if (primaries > limits.primariesMax) {
    items.push({ path: '/beam/numberOfParticles', message: `must be at most ${limits.primariesMax}` });
  }
  return [...items, ...checkBins(project, limits.binsMax)];
}

/** The first quantity with which the pages of the project have more bins together than are allowed. */
function checkBins(project: Project, binsMax: number): ConversionItem[] {
  let bins = 0;
  for (const [outputIndex, output] of project.scoringManager.outputs.entries()) {
    for (const [quantityIndex, quantity] of output.quantities.entries()) {
      bins += countPageBins(project, output, quantity);
      if (bins > binsMax) {
        const path = `/scoringManager/outputs/${outputIndex}/quantities/${quantityIndex}`;
        return [{ path, message: `the project must have at most ${binsMax} bins, up to here it has ${bins}` }];
      }
    }
  }
  return [];
}

/** Bins of one page: those of its detector times those of its differential axes. */
export function countPageBins(project: Project, output: Output, quantity: Quantity): number {
  const detector = project.detectorManager.detectors.find(({ uuid }) => uuid === output.detectorUuid);
  const detectorBins = detector === undefined ? 1 : countDetectorBins(detector.geometryData);
  const histogramBins = quantity.keyword === 'KineticEnergySpectrum' ? (quantity.histogramNBins ?? 1) : 1;
  return quantity.modifiers.reduce((product, axis) => product * axis.binsNumber, detectorBins * histogramBins);
}
