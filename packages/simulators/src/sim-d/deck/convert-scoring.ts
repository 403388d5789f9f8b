import { BLACK_HOLE_ICRU, type Detector, VACUUM_ICRU } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { Body } from '../../deck/geometry/body.js';
import { createBodyRelations } from '../../deck/geometry/body-relations.js';
import { IDENTITY } from '../../deck/geometry/rotation.js';
import type { DeckMaterial } from '../../deck/material-table.js';
import { createNameTable, FILE_NAME_RULES, type NameTable } from '../../deck/name-table.js';
import { listAxes } from '../../deck/scoring/list-axes.js';
import type { ScoredOutput, ScoredQuantity } from '../../deck/scoring/list-outputs.js';
import { describeAxes } from '../../deck/scoring/page-axes.js';
import { warnOfOffset } from '../../deck/scoring/warn-of-offset.js';
import type { Manifest, ManifestPage } from '../../driver.js';
import { convertFilter } from './convert-filter.js';
import { boxAround, parallelLines, shapeLines } from './convert-geometry.js';
import type { ConvertedMaterials } from './convert-materials.js';
import { type Frame, placementLines } from './frame.js';
import { dimensioned, flag, integer, text, texts } from './parameter.js';

/** Where energy in zones and everywhere is scored: the whole world, in parallel. */
const EVERYWHERE = 'Everywhere';
/** All that the reader needs for a value and its error. */
const REPORT = ['Sum', 'Mean', 'Standard_Deviation'];

interface KnownQuantity {
  readonly quantity: string;
  readonly inMedium?: string;
}
const DOSE: KnownQuantity = { quantity: 'DoseToMedium', inMedium: 'DoseToMaterial' };
const QUANTITIES: ReadonlyMap<string, KnownQuantity> = new Map<string, KnownQuantity>([
  ['Dose', DOSE],
  ['DDD', DOSE],
  ['DoseGy', DOSE],
  ['Energy', { quantity: 'EnergyDeposit' }],
  ['Fluence', { quantity: 'Fluence' }],
  ['KineticEnergySpectrum', { quantity: 'Fluence' }],
]);

export interface ScoringContext {
  readonly outputs: readonly ScoredOutput[];
  readonly detectors: readonly Detector[];
  readonly world: Body;
  readonly frame: Frame;
  readonly componentNames: NameTable;
  readonly materials: readonly DeckMaterial[];
  readonly materialNames: ConvertedMaterials;
  /** Index of the medium of a quantity, by the quantity's path. */
  readonly media: ReadonlyMap<string, number>;
  /** Name of the material that stands only in a scored zone, by the zone's index. */
  materialOfZone(zone: number): string;
  readonly report: ConversionReport;
}

/** Parallel worlds that scoring takes: one for each mesh or cylinder, and one for zones and everywhere together. */
export function countScoringWorlds(detectors: readonly Detector[]): number {
  const placed = detectors.filter(isPlaced).length;
  return placed + (placed < detectors.length ? 1 : 0);
}

/** Components in parallel worlds, and a scorer for every quantity, whose file has its name. */
export function convertScoring(context: ScoringContext): { lines: string[]; estimators: Manifest['estimators'] } {
  const scorers = createNameTable(
    { ...FILE_NAME_RULES, forbidden: /[^A-Za-z0-9_]+/g, letterFirst: true, fallback: 'scorer', ignoresCase: true },
    ['Default'],
  );
  const components = context.detectors.map((detector, index) => placeDetector(detector, index, context));
  const everywhere = context.detectors.some((detector) => !isPlaced(detector)) ? everywhereLines(context) : [];
  const scored = context.outputs.flatMap((output) =>
    output.quantities.map((quantity) => {
      const name = scorers.claim(
        quantity.path,
        `${output.name}_${quantity.quantity.name || quantity.quantity.keyword}`,
      );
      return ['', ...scorerLines(name, output, quantity, components[output.detector]?.name ?? EVERYWHERE, context)];
    }),
  );
  const describePage = (output: ScoredOutput, scoredQuantity: ScoredQuantity): ManifestPage => {
    const { quantity, path, pageNumber, scale } = scoredQuantity;
    const name = scorers.claim(path, '');
    const detector = context.detectors[output.detector];
    const axes = detector === undefined ? [] : describeAxes(detector, listAxes(quantity, path, context.report));
    return {
      pageNumber,
      name: quantity.name,
      quantityUuid: quantity.uuid,
      isAbsolute: quantity.primaries !== undefined,
      scale,
      source: { file: `${name}.csv`, item: name, keyword: quantity.keyword, axes },
    };
  };
  return {
    lines: [...components.flatMap(({ lines }) => lines), ...everywhere, ...scored.flat()],
    estimators: context.outputs.map((output) => ({
      name: output.name,
      outputUuid: output.output.uuid,
      pages: output.quantities.map((quantity) => describePage(output, quantity)),
    })),
  };
}

function isPlaced(detector: Detector): detector is Extract<Detector, { type: 'mesh' | 'cylinder' }> {
  return detector.type === 'mesh' || detector.type === 'cylinder';
}

function placeDetector(
  detector: Detector,
  index: number,
  { componentNames, frame, world, report }: ScoringContext,
): { name: string; lines: string[] } {
  if (!isPlaced(detector)) return { name: EVERYWHERE, lines: [] };
  const name = componentNames.claim(`detector ${index}`, detector.name);
  const body = detectorBody(detector);
  if (!createBodyRelations([world, body]).contains(0, 1)) {
    report.refuse(
      report.originOf(`/detectors/${index}`),
      'must not reach outside the world: nothing is absorbed there',
    );
  }
  const inner = detector.type === 'cylinder' ? detector.innerRadiusCm : 0;
  return {
    name,
    lines: [
      '',
      ...shapeLines(name, body.shape, inner),
      text(`Ge/${name}/Parent`, 'World'),
      ...placementLines(name, body, frame),
      ...parallelLines(name, `${name}World`),
      ...binLines(name, detector),
    ],
  };
}

function detectorBody(detector: Extract<Detector, { type: 'mesh' | 'cylinder' }>): Body {
  const shape =
    detector.type === 'mesh'
      ? ({ type: 'box', sizeCm: detector.sizeCm } as const)
      : ({ type: 'cylinder', radiusCm: detector.radiusCm, depthCm: detector.depthCm } as const);
  const { name, centerCm } = detector;
  return { name, isHole: false, shape, centerCm, axes: IDENTITY, rotationDeg: [0, 0, 0] };
}

function binLines(name: string, detector: Extract<Detector, { type: 'mesh' | 'cylinder' }>): string[] {
  const path = `Ge/${name}`;
  if (detector.type === 'mesh') {
    return detector.segments.map((bins, axis) => integer(`${path}/${'XYZ'[axis]}Bins`, bins));
  }
  return [
    integer(`${path}/RBins`, detector.radialSegments),
    integer(`${path}/PhiBins`, 1),
    integer(`${path}/ZBins`, detector.zSegments),
  ];
}

function everywhereLines({ world, frame }: ScoringContext): string[] {
  return [
    '',
    ...shapeLines(EVERYWHERE, boxAround(world.shape)),
    text(`Ge/${EVERYWHERE}/Parent`, 'World'),
    ...placementLines(EVERYWHERE, frame, frame),
    ...parallelLines(EVERYWHERE, `${EVERYWHERE}World`),
  ];
}

function scorerLines(
  name: string,
  output: ScoredOutput,
  scored: ScoredQuantity,
  component: string,
  context: ScoringContext,
): string[] {
  const { filter } = scored;
  const scorer = `Sc/${name}`;
  warnOfOffset(scored, context.report);
  return [
    ...quantityLines(scorer, scored, context),
    text(`${scorer}/Component`, component),
    ...zoneLines(scorer, output, scored, context),
    ...(filter === undefined ? [] : convertFilter(filter.filter, { ...context, scorer, path: filter.path })),
    ...axisLines(scorer, scored, context.report),
    texts(`${scorer}/Report`, REPORT),
    text(`${scorer}/OutputType`, 'csv'),
    text(`${scorer}/OutputFile`, name),
    text(`${scorer}/IfOutputFileAlreadyExists`, 'Overwrite'),
    flag(`${scorer}/OutputToConsole`, false),
  ];
}

function quantityLines(scorer: string, { quantity, path }: ScoredQuantity, context: ScoringContext): string[] {
  const known = QUANTITIES.get(quantity.keyword);
  if (known === undefined) {
    context.report.refuse(`${path}/keyword`, `quantity "${quantity.keyword}" is not supported`);
    return [];
  }
  const medium = context.media.get(path);
  if (medium === undefined) return [text(`${scorer}/Quantity`, known.quantity)];
  const { inMedium } = known;
  const { icru, name } = context.materials[medium] ?? { icru: VACUUM_ICRU, name: '' };
  if (icru === VACUUM_ICRU || icru === BLACK_HOLE_ICRU) {
    context.report.refuse(`${path}/materialUuid`, `"${name}" is no medium for ${quantity.keyword}`);
  }
  return [
    text(`${scorer}/Quantity`, inMedium ?? known.quantity),
    text(`${scorer}/Material`, context.materialNames.nameOf(medium)),
  ];
}

/** Energy in a zone is what is deposited in the material that stands there alone; other quantities need a volume. */
function zoneLines(
  scorer: string,
  output: ScoredOutput,
  { quantity, path }: ScoredQuantity,
  context: ScoringContext,
): string[] {
  const detector = context.detectors[output.detector];
  if (detector === undefined || isPlaced(detector)) return [];
  if (quantity.keyword !== 'Energy') {
    const where = detector.type === 'zone' ? 'in a zone' : 'everywhere';
    context.report.refuse(`${path}/keyword`, `${quantity.keyword} ${where} is not supported, only Energy`);
  }
  if (detector.type === 'all') return [];
  return [texts(`${scorer}/OnlyIncludeIfInMaterial`, [context.materialOfZone(detector.zone)])];
}

/** One linear axis in the kinetic energy that a particle has at the moment. */
function axisLines(scorer: string, { quantity, path }: ScoredQuantity, report: ConversionReport): string[] {
  const [axis, second] = listAxes(quantity, path, report);
  if (second !== undefined) report.refuse(`${path}/modifiers/1`, 'a second differential axis is not supported');
  if (axis === undefined) return [];
  if (axis.diffType !== 'E') {
    report.refuse(`${path}/modifiers/0/diffType`, `differential axis "${axis.diffType}" is not supported, only E`);
  }
  if (axis.isLog) report.refuse(`${path}/modifiers/0/isLog`, 'a logarithmic axis is not supported');
  return [
    integer(`${scorer}/EBins`, axis.binsNumber),
    dimensioned(`${scorer}/EBinMin`, axis.lowerLimit, 'MeV'),
    dimensioned(`${scorer}/EBinMax`, axis.upperLimit, 'MeV'),
    text(`${scorer}/EBinEnergy`, 'PreStep'),
  ];
}
