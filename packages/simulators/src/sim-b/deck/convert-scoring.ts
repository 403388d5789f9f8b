import type { Detector } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import { createNameTable } from '../../deck/name-table.js';
import { listAxes } from '../../deck/scoring/list-axes.js';
import type { ScoredOutput, ScoredQuantity } from '../../deck/scoring/list-outputs.js';
import { describeAxes } from '../../deck/scoring/page-axes.js';
import { refuseOtherMedium } from '../../deck/scoring/refuse-other-medium.js';
import { warnOfOffset } from '../../deck/scoring/warn-of-offset.js';
import type { Manifest, ManifestPage } from '../../driver.js';
import { type Modifier, SPECTRUM } from '../../project/scoring.js';
import { type Field, formatCard } from './card.js';
import { convertFilter, type ParticleSelection } from './convert-filter.js';

/** First logical unit of the deck's own; the simulator keeps those below for itself. */
const UNIT_FIRST = 21;
const UNIT_LAST = 99;
const MEV_PER_GEV = 1000;
const ALL_PARTICLES = 'ALL-PART';
/** What `USRBIN` scores by the project's keyword. */
const BINNED_QUANTITIES: ReadonlyMap<string, string> = new Map([
  ['Dose', 'DOSE'],
  ['DoseGy', 'DOSE'],
  ['DDD', 'DOSE'],
  ['Energy', 'ENERGY'],
  ['Fluence', ALL_PARTICLES],
]);
/** What neutrons are part of, and the energy up to which the simulator transports them in groups, MeV. */
const NEUTRON = 'NEUTRON';
const WITH_NEUTRONS = [ALL_PARTICLES, 'ALL-NEUT', NEUTRON];
const NEUTRON_GROUPS_MEV = 20;
/** `AUXSCORE` selection of all that has mass number 1. */
const NUCLEONS = -100_000;
/** Scored as track length, and so by kind of particle in the card itself. */
const FLUENCES = ['Fluence', SPECTRUM];
/** Names of detectors; two of them mean something else in a `USRTRACK` card. */
const DETECTOR_NAMES = { forbidden: /[^A-Za-z0-9_.-]+/g, lengthMax: 10, fallback: 'score', ignoresCase: true };
const RESERVED_NAMES = ['ENERGY', 'EN-NUCL'];

type Estimator = 'USRBIN' | 'USRTRACK';

/** What scoring refers to. */
export interface ScoringContext {
  readonly detectors: readonly Detector[];
  /** Region of a zone by its index; `undefined` of zones that are nowhere. */
  readonly regionNames: readonly (string | undefined)[];
  /** Smallest and largest x, y and z of the world: where a score everywhere is binned. */
  readonly worldLimitsCm: readonly (readonly [number, number])[];
  readonly report: ConversionReport;
}

/** One scorer of the deck before it has a unit. */
interface Scorer {
  readonly estimator: Estimator;
  readonly particle: ParticleSelection | undefined;
  /** Of the first card from WHAT(4) on, and of the second. */
  readonly cards: (head: readonly Field[], name: string) => string[];
  readonly binVolumeCm3?: number;
  /** The file says the borders of its bins, which are not those that the project asks for. */
  readonly hasOwnBins?: boolean;
}

/**
 * `USRBIN` on meshes, cylinders, regions and everywhere, `USRTRACK` for fluence differential in energy in regions and
 * everywhere, `AUXSCORE` for filters. Every output has a logical unit of its own for each of the two estimators it uses.
 * Region and spectrum scores are not divided by a volume.
 */
export function convertScoring(
  outputs: readonly ScoredOutput[],
  context: ScoringContext,
): { readonly lines: string[]; readonly estimators: Manifest['estimators'] } {
  const { report } = context;
  const names = createNameTable(DETECTOR_NAMES, RESERVED_NAMES);
  const units = createUnits();
  const counts = { USRBIN: 0, USRTRACK: 0 };
  const lines = writeEnergyScale(outputs, context);
  const estimators = outputs.map(({ output, name, path, detector, quantities }) => {
    const pages = quantities.flatMap((scored): ManifestPage[] => {
      const scorer = convertQuantity(scored, context.detectors[detector], context);
      if (scorer === undefined) return [];
      const { estimator, particle } = scorer;
      const item = names.claim(scored.path, scored.quantity.name);
      const unit = units.find(output.uuid, estimator);
      counts[estimator] += 1;
      lines.push(...scorer.cards([-unit], item));
      if (particle !== undefined) {
        lines.push(formatCard('AUXSCORE', [estimator, particle, undefined, counts[estimator], counts[estimator], 1]));
      }
      return [describePage(scored, context.detectors[detector], scorer, String(unit), item, report)];
    });
    if (units.last() > UNIT_LAST)
      report.refuse(path, `needs a logical unit above ${UNIT_LAST}: there are too many outputs`);
    return { name, outputUuid: output.uuid, pages };
  });
  return { lines, estimators };
}

function createUnits() {
  const units = new Map<string, number>();
  return {
    find(outputUuid: string, estimator: Estimator): number {
      const key = `${estimator} ${outputUuid}`;
      const unit = units.get(key) ?? UNIT_FIRST + units.size;
      units.set(key, unit);
      return unit;
    },
    last: (): number => UNIT_FIRST + units.size - 1,
  };
}

function describePage(
  { quantity, pageNumber, path, scale }: ScoredQuantity,
  detector: Detector | undefined,
  { binVolumeCm3, hasOwnBins }: Scorer,
  file: string,
  item: string,
  report: ConversionReport,
): ManifestPage {
  const axes = detector === undefined ? [] : describeAxes(detector, listAxes(quantity, path, report));
  return {
    pageNumber,
    name: quantity.name,
    quantityUuid: quantity.uuid,
    isAbsolute: quantity.primaries !== undefined,
    scale,
    source: {
      file,
      item,
      keyword: quantity.keyword,
      ...(hasOwnBins === true ? {} : { axes }),
      ...(binVolumeCm3 === undefined ? {} : { binVolumeCm3 }),
    },
  };
}

/** One card changes the energy of all `USRTRACK` to that per nucleon, so that the two kinds cannot stand in one deck. */
function writeEnergyScale(outputs: readonly ScoredOutput[], { report }: ScoringContext): string[] {
  const axes = outputs.flatMap(({ quantities }) =>
    quantities.flatMap(({ quantity, path }) =>
      quantity.modifiers.map(({ diffType }, index) => ({ diffType, path: `${path}/modifiers/${index}/diffType` })),
    ),
  );
  const perNucleon = axes.filter(({ diffType }) => diffType === 'ENUC');
  const total = axes.filter(({ diffType }) => diffType === 'E');
  if (perNucleon.length === 0) return [];
  for (const { path } of total)
    report.refuse(path, 'must be ENUC, as another axis of the project is: there is one scale');
  return [formatCard('USRTRACK', [], 'EN-NUCL')];
}

function convertQuantity(
  scored: ScoredQuantity,
  detector: Detector | undefined,
  context: ScoringContext,
): Scorer | undefined {
  const { quantity, path, filter } = scored;
  const { report } = context;
  warnOfOffset(scored, report);
  refuseOtherMedium(scored, report);
  const selection = filter && convertFilter(filter.filter, filter.path, report);
  const isFluence = FLUENCES.includes(quantity.keyword);
  const scoredName = isFluence ? ALL_PARTICLES : BINNED_QUANTITIES.get(quantity.keyword);
  if (scoredName === undefined) {
    report.refuse(`${path}/keyword`, `quantity "${quantity.keyword}" is not supported`);
    return undefined;
  }
  // A fluence is that of a named particle by itself; isotopes and everything else need AUXSCORE.
  const isOwnParticle = isFluence && typeof selection === 'string';
  const what = isOwnParticle ? selection : scoredName;
  const particle = isOwnParticle ? undefined : selection;
  const axes = listAxes(quantity, path, report);
  if (detector === undefined) return undefined;
  if (axes.length > 0)
    return isFluence ? spectrum(axes, detector, what, particle, path, context) : refuseAxes(path, report);
  return binning(detector, what, particle, path, context);
}

function refuseAxes(path: string, report: ConversionReport): undefined {
  report.refuse(`${path}/modifiers`, 'only fluence can be differential, and only in energy');
  return undefined;
}

function binning(
  detector: Detector,
  what: string,
  particle: ParticleSelection | undefined,
  path: string,
  context: ScoringContext,
): Scorer | undefined {
  const scorer = (kind: number, first: readonly Field[], second: readonly Field[], binVolumeCm3?: number): Scorer => ({
    estimator: 'USRBIN',
    particle,
    cards: (unit, name) => [
      formatCard('USRBIN', [kind, what, ...unit, ...first], name),
      formatCard('USRBIN', second, '&'),
    ],
    ...(binVolumeCm3 === undefined ? {} : { binVolumeCm3 }),
  });
  switch (detector.type) {
    case 'mesh': {
      const { centerCm, sizeCm, segments } = detector;
      const limit = (sign: number): number[] =>
        centerCm.map((center, axis) => center + (sign * (sizeCm[axis] ?? 0)) / 2);
      return scorer(10, limit(1), [...limit(-1), ...segments]);
    }
    case 'cylinder': {
      const { centerCm, innerRadiusCm, radiusCm, depthCm, radialSegments, zSegments } = detector;
      const [x, y, z] = centerCm;
      const first = [radiusCm, y, z + depthCm / 2];
      return scorer(11, first, [innerRadiusCm, x, z - depthCm / 2, radialSegments, 1, zSegments]);
    }
    case 'zone': {
      const region = findRegion(detector.zone, path, context);
      return region === undefined ? undefined : scorer(12, [region], [region, undefined, undefined, 1]);
    }
    case 'all': {
      const lows = context.worldLimitsCm.map(([low]) => low);
      const highs = context.worldLimitsCm.map(([, high]) => high);
      const volume = context.worldLimitsCm.reduce((product, [low, high]) => product * (high - low), 1);
      return scorer(10, highs, [...lows, 1, 1, 1], volume);
    }
  }
}

function spectrum(
  axes: readonly Modifier[],
  detector: Detector,
  what: string,
  particle: ParticleSelection | undefined,
  path: string,
  context: ScoringContext,
): Scorer | undefined {
  const [axis, ...others] = axes;
  if (axis === undefined || others.length > 0 || !['E', 'ENUC'].includes(axis.diffType)) {
    context.report.refuse(`${path}/modifiers`, 'must be one axis, of type E or ENUC');
    return undefined;
  }
  if (detector.type === 'mesh' || detector.type === 'cylinder') {
    context.report.refuse(
      `${path}/modifiers`,
      'a spectrum is scored in a zone or everywhere, not in the bins of a detector',
    );
    return undefined;
  }
  const region = detector.type === 'all' ? -1 : findRegion(detector.zone, path, context);
  if (region === undefined) return undefined;
  const { lowerLimit, upperLimit, binsNumber, isLog } = axis;
  // isotopes are charged; only "mass number 1" has the neutron among them
  const isCharged = typeof particle === 'number' && particle !== NUCLEONS;
  const track = isCharged && what === ALL_PARTICLES ? 'ALL-CHAR' : what;
  const hasGroups = WITH_NEUTRONS.includes(track) && lowerLimit < NEUTRON_GROUPS_MEV;
  const isNeutron = track === NEUTRON && particle === undefined && axis.diffType === 'E';
  if (hasGroups && isNeutron) {
    const message = `below ${NEUTRON_GROUPS_MEV} MeV the bins of a spectrum of neutrons are the groups of the simulator`;
    context.report.warn('NEUTRON_GROUPS', message);
  } else if (hasGroups) {
    const message = `must begin at ${NEUTRON_GROUPS_MEV} MeV or have a filter for neutrons or for charged particles`;
    context.report.refuse(
      `${path}/modifiers/0/lowerLimit`,
      `${message}: below, neutrons are scored in groups of their own`,
    );
    return undefined;
  }
  return {
    estimator: 'USRTRACK',
    particle,
    hasOwnBins: hasGroups,
    cards: (unit, name) => [
      formatCard('USRTRACK', [isLog ? -1 : 1, track, ...unit, region, 1, binsNumber], name),
      formatCard('USRTRACK', [upperLimit / MEV_PER_GEV, lowerLimit / MEV_PER_GEV], '&'),
    ],
  };
}

function findRegion(zone: number, path: string, { regionNames, report }: ScoringContext): string | undefined {
  const region = regionNames[zone];
  if (region === undefined) report.refuse(path, 'is scored in a zone that has no volume');
  return region;
}
