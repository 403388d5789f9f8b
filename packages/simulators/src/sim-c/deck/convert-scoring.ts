import { type Detector, findMaterial } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { Limits } from '../../deck/geometry/figure-limits.js';
import type { DeckMaterial } from '../../deck/material-table.js';
import { listAxes } from '../../deck/scoring/list-axes.js';
import type { ScoredOutput, ScoredQuantity } from '../../deck/scoring/list-outputs.js';
import { describeAxes } from '../../deck/scoring/page-axes.js';
import { refuseOtherMedium } from '../../deck/scoring/refuse-other-medium.js';
import { warnOfOffset } from '../../deck/scoring/warn-of-offset.js';
import type { Manifest, ManifestPage, PageSource } from '../../driver.js';
import { type Modifier, SPECTRUM } from '../../project/scoring.js';
import { ANALYSIS_FILE } from '../deck-files.js';
import { formatNumber } from './format-number.js';
import { createScoreBlocks, type ScoreBlocks, type ScorePlace, type Scorer } from './score-blocks.js';
import { createMesh, createProbe, createZoneScorer } from './score-geometry.js';

/** Scorer of a keyword in the bins of a mesh, and in a zone: there is no dose or fluence without a volume. */
const SCORERS: ReadonlyMap<string, { readonly inBins: Scorer; readonly inZone: Scorer }> = new Map([
  ['Dose', { inBins: 'doseDeposit', inZone: 'energyDeposit' }],
  ['DoseGy', { inBins: 'doseDeposit', inZone: 'energyDeposit' }],
  ['DDD', { inBins: 'doseDeposit', inZone: 'energyDeposit' }],
  ['Energy', { inBins: 'energyDeposit', inZone: 'energyDeposit' }],
  ['Fluence', { inBins: 'cellFlux', inZone: 'trackLength' }],
]);
const DOSES = ['Dose', 'DoseGy', 'DDD'];

/** What scoring refers to. */
export interface ScoringContext {
  readonly detectors: readonly Detector[];
  /** Name of the volume of a zone by its index, the world's the number of zones; none of zones that are nowhere. */
  readonly volumeNames: ReadonlyMap<number, string>;
  /** Material of a zone by its index, the world's last. */
  readonly zoneMaterials: readonly DeckMaterial[];
  readonly worldLimitsCm: Limits;
  readonly report: ConversionReport;
}

/** Scoring commands in the order of the macro: meshes and histograms before the run, what is written after it. */
export interface ConvertedScoring {
  readonly meshLines: readonly string[];
  readonly histogramLines: readonly string[];
  readonly dumpLines: readonly string[];
  readonly estimators: Manifest['estimators'];
}

/** Everything that grows while quantities are converted. */
interface Macro {
  readonly blocks: ScoreBlocks;
  readonly histograms: string[][];
  readonly dumpLines: string[];
}

/**
 * One mesh for every detector, shared by the outputs that use it; spectra in a probe of its own with a histogram each.
 * Zones are scored in their volumes: dose as energy over density, fluence as track length, neither over a volume.
 */
export function convertScoring(outputs: readonly ScoredOutput[], context: ScoringContext): ConvertedScoring {
  const { volumeNames, report } = context;
  const blocks = createScoreBlocks([...volumeNames.values()], report);
  const macro: Macro = { blocks, histograms: [], dumpLines: [] };
  const estimators = outputs.map(({ output, name, detector, quantities }) => {
    const pages = quantities.flatMap((scored): ManifestPage[] => {
      const source = convertQuantity(scored, detector, context, macro);
      return source === undefined ? [] : [describePage(scored, source)];
    });
    return { name, outputUuid: output.uuid, pages };
  });
  const { histograms, dumpLines } = macro;
  return { meshLines: blocks.lines(), histogramLines: histograms.flat(), dumpLines, estimators };
}

function convertQuantity(
  scored: ScoredQuantity,
  detectorIndex: number,
  context: ScoringContext,
  macro: Macro,
): PageSource | undefined {
  const { detectors, report } = context;
  warnOfOffset(scored, report);
  refuseOtherMedium(scored, report);
  const axes = listAxes(scored.quantity, scored.path, report);
  const detector = detectors[detectorIndex];
  if (detector === undefined) return undefined;
  if (axes.length === 0) return scoreBins(scored, detector, detectorIndex, context, macro);
  const axis = readEnergyAxis(axes, scored, report);
  return axis && scoreSpectrum(scored, detector, detectorIndex, axis, report, macro);
}

function scoreBins(
  scored: ScoredQuantity,
  detector: Detector,
  detectorIndex: number,
  context: ScoringContext,
  { blocks, dumpLines }: Macro,
): PageSource | undefined {
  const { keyword } = scored.quantity;
  const scorers = SCORERS.get(keyword);
  if (scorers === undefined) {
    context.report.refuse(`${scored.path}/keyword`, `quantity "${keyword}" is not supported`);
    return undefined;
  }
  const place = findPlace(detector, detectorIndex, scored, context);
  if (place === undefined) return undefined;
  const { block, item } = blocks.addScorer(place, scored, place.isVolume ? scorers.inZone : scorers.inBins);
  const file = `${block}_${item}.txt`;
  dumpLines.push(`/score/dumpQuantityToFile ${block} ${item} ${file}`);
  const isDivided = detector.type === 'all' && scorers.inBins !== 'energyDeposit';
  const density = detector.type === 'zone' ? densityOf(context.zoneMaterials[detector.zone]) : undefined;
  return {
    file,
    item,
    keyword,
    axes: describeAxes(detector, []),
    ...(isDivided ? { binVolumeCm3: volumeOf(context.worldLimitsCm) } : {}),
    ...(density !== undefined && DOSES.includes(keyword) ? { densityGcm3: density } : {}),
  };
}

function findPlace(
  detector: Detector,
  detectorIndex: number,
  { path }: ScoredQuantity,
  { volumeNames, worldLimitsCm, report }: ScoringContext,
): ScorePlace | undefined {
  if (detector.type !== 'zone') {
    if (detector.type === 'cylinder' && detector.innerRadiusCm > 0) {
      // G4VScoringMesh::SetSize takes one command, and the size and the inner radius are two
      report.refuse(path, 'is scored in a hollow cylinder: the simulator has no inner radius of a mesh');
    }
    const open = (name: string): string[] => createMesh(name, detector, worldLimitsCm);
    return { key: `mesh ${detectorIndex}`, name: detector.name, isVolume: false, open };
  }
  const name = volumeNames.get(detector.zone);
  if (name !== undefined) return { key: `zone ${detector.zone}`, name, isVolume: true, open: createZoneScorer };
  report.refuse(path, 'is scored in a zone that has no volume');
  return undefined;
}

function scoreSpectrum(
  scored: ScoredQuantity,
  detector: Detector,
  detectorIndex: number,
  axis: Modifier,
  report: ConversionReport,
  { blocks, histograms }: Macro,
): PageSource | undefined {
  const { quantity, path } = scored;
  const open = createProbe(detector, quantity, path, report);
  if (open === undefined) return undefined;
  const place = { key: `probe ${detectorIndex}`, name: `${detector.name}_probe`, isVolume: false, open };
  const { block, item } = blocks.addScorer(place, scored, 'cellFlux');
  const histogram = blocks.claimHistogram(scored);
  const bins = `${axis.binsNumber} ${formatNumber(axis.lowerLimit)} ${formatNumber(axis.upperLimit)} MeV`;
  histograms.push([
    `/analysis/h1/create ${histogram} ${histogram} ${bins} none ${axis.isLog ? 'log' : 'linear'}`,
    `/score/fill1D ${histograms.length} ${block} ${item}`,
  ]);
  const file = ANALYSIS_FILE.replace('.', `_h1_${histogram}.`);
  const everywhere: Detector = { type: 'all', name: detector.name };
  const axes = describeAxes(quantity.keyword === SPECTRUM ? everywhere : detector, [axis]);
  return { file, item: histogram, keyword: quantity.keyword, axes };
}

function readEnergyAxis(
  axes: readonly Modifier[],
  { quantity, path }: ScoredQuantity,
  report: ConversionReport,
): Modifier | undefined {
  const [axis] = axes;
  const isFluence = quantity.keyword === 'Fluence' || quantity.keyword === SPECTRUM;
  if (isFluence && axes.length === 1 && axis?.diffType === 'E') return axis;
  report.refuse(`${path}/modifiers`, 'only fluence can be differential, and only in energy (E)');
  return undefined;
}

function densityOf(material: DeckMaterial | undefined): number | undefined {
  return material && (material.densityGcm3 ?? findMaterial(material.icru)?.densityGcm3);
}

function volumeOf(limits: Limits): number {
  return limits.reduce((product, [low, high]) => product * (high - low), 1);
}

function describePage({ quantity, pageNumber, scale }: ScoredQuantity, source: PageSource): ManifestPage {
  const { name, uuid: quantityUuid, primaries } = quantity;
  return { pageNumber, name, quantityUuid, isAbsolute: primaries !== undefined, scale, source };
}
