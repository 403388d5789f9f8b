import type { ByteReader } from '../../output/byte-reader.js';
import { countingAxis, type NativeAxis } from '../../output/native-page.js';
import { timesVolume } from '../../output/units.js';
import { describeQuantity, type ScoredQuantity } from './scored-quantities.js';
import type { Detector, DetectorContext } from './usr-context.js';
import { nameYieldAxis } from './yield-axes.js';

/** Length of a detector's header, by which its kind is known. */
export const HEADER_BYTES = { usrbin: 86, usrtrack: 50, usrbdx: 78, usryield: 70, resnuclei: 38 } as const;

const INT_BYTES = 4;
const MEV_PER_GEV = 1000;
/** Number of the particle. */
const NEUTRON = 8;
/** Binnings of 10 and more are scored along tracks; the others where particles interact or stop. */
const TRACK_BINNING = 10;
/** What is said of the distribution of energy is a distribution of that energy. */
const ENERGIES: readonly number[] = [208, 211];
/** The second variable of a yield is so many times its number. */
const YIELD_VARIABLES = 100;
/** Significant digits of a 32-bit real. */
const FLOAT32_DIGITS = 7;

/** Quantities in the bins of a grid, in regions, or in bins of the user's own. */
export function readUsrbin(context: DetectorContext): Detector {
  const { header } = context;
  const binning = header.int32();
  const { name, unit, factor } = describeBinned(binning, header.int32(), context);
  const grids = [readGrid(context), readGrid(context), readGrid(context)] as const;
  const shape = binning % TRACK_BINNING;
  // regions and bins of the user's own have no volume to divide by
  const hasVolume = shape !== 2 && shape !== 8;
  const axes = placeGrids(shape, grids);
  return { title: name, unit: hasVolume ? unit : timesVolume(unit), factor, differentialAxes: 0, axes };
}

function describeBinned(binning: number, id: number, context: DetectorContext): ScoredQuantity {
  const quantity = describe(id, context);
  if (!quantity.isParticle) return quantity;
  if (binning >= TRACK_BINNING) return { ...quantity, name: `FLUENCE ${quantity.name}` };
  return { ...quantity, name: `STARS ${quantity.name}`, unit: 'stars/cm^3' };
}

/** Limits, number of bins and width of an axis. */
interface Grid {
  readonly axis: NativeAxis;
  readonly step: number;
}

function readGrid({ header, records }: DetectorContext): Grid {
  const [lower, upper, bins, step] = [readReal(header), readReal(header), header.int32(), readReal(header)];
  if (bins < 1) records.fail(`has an axis of ${bins} bins`);
  return { axis: { name: '', unit: 'cm', lower, upper, bins, isLog: false }, step };
}

/** @param shape - of the mesh: 0 Cartesian, 1 a cylinder, 3 to 6 and 7 the same with symmetries, 2 regions, 8 special */
function placeGrids(shape: number, [first, second, third]: readonly [Grid, Grid, Grid]): NativeAxis[] {
  const [x, y, z] = ['x', 'y', 'z'].map((name, index) => ({ ...[first, second, third][index]?.axis, name })) as [
    NativeAxis,
    NativeAxis,
    NativeAxis,
  ];
  switch (shape) {
    case 0:
    case 3:
    case 4:
    case 5:
    case 6:
      return [x, y, z];
    case 1:
    case 7: // the limits of the second axis are where the axis of the cylinder is
      return [{ ...x, name: 'r' }, { ...y, name: 'phi', unit: 'rad', lower: -Math.PI, upper: Math.PI }, z];
    case 2:
      return [regionAxis('region', first), regionAxis('second region', second), regionAxis('third region', third)];
    default: // the user's own routine says what the numbers are
      return [first, second, third].map(({ axis }, index) => countingAxis(`bin ${index + 1}`, axis.bins));
  }
}

/** Regions by their numbers, of which the first and the step are in the file. */
function regionAxis(name: string, { axis, step }: Grid): NativeAxis {
  const { lower: first, bins } = axis;
  const isNumbered = Number.isInteger(first) && first >= 1 && bins > 1 && Number.isInteger(step) && step >= 1;
  const [start, width] = isNumbered ? [first, step] : [Math.max(1, Math.round(first) || 1), 1];
  const lower = start - width / 2;
  return { name, unit: '1', lower, upper: lower + width * bins, bins, isLog: false };
}

/** Fluence from track lengths or collisions in a region, per GeV. */
export function readUsrtrack(context: DetectorContext): Detector {
  const { header } = context;
  const scale = header.int32();
  const particle = header.int32();
  header.skip(INT_BYTES); // region
  const volumeCm3 = header.float32();
  const hasGroups = header.int32() !== 0;
  const energy = readEnergies(context, scale < 0, hasGroups);
  const { name, factor } = describeFlow(particle, 'FLUENCE', context);
  // a volume of 1 is what is put where none is known: the numbers are track lengths
  const unit = volumeCm3 === 1 ? 'cm' : '/cm^2';
  return {
    title: name,
    axes: [energy],
    differentialAxes: 1,
    unit: ENERGIES.includes(particle) ? `MeV${unit === 'cm' ? ' cm' : unit}` : unit,
    factor,
    ...(hasGroups ? { groups: { isNeutron: particle === NEUTRON } } : {}),
  };
}

/** Fluence or current over a boundary, per GeV and sr. */
export function readUsrbdx(context: DetectorContext): Detector {
  const { header, records, report } = context;
  const scale = header.int32();
  const particle = header.int32();
  header.skip(4 * INT_BYTES); // regions, area, both ways or one
  const isFluence = header.int32() !== 0;
  const hasGroups = header.int32() !== 0;
  const energy = readEnergies(context, scale < 0, hasGroups);
  const [lower, upper, bins] = [readReal(header), readReal(header), header.int32()];
  if (bins < 1) records.fail(`has ${bins} bins of angles`);
  const isLog = Math.abs(scale) === 2;
  if (isLog) {
    const message = `"${context.item}" has its angles in logarithmic bins, taken to be equal from the lowest limit on`;
    report.warn('OUTPUT_ASSUMED', context.fileName, message);
  }
  const { name, factor } = describeFlow(particle, isFluence ? 'FLUENCE' : 'CURRENT', context);
  return {
    title: name,
    axes: [energy, { name: 'ANGLE', unit: 'sr', lower, upper, bins, isLog }],
    differentialAxes: 2,
    unit: ENERGIES.includes(particle) ? 'MeV/cm^2' : '/cm^2',
    factor,
    ...(hasGroups ? { groups: { isNeutron: particle === NEUTRON } } : {}),
  };
}

/** A yield over one variable between limits of another; what is divided by what is the user's choice in the card. */
export function readUsryield(context: DetectorContext): Detector {
  const { header, records, report, fileName, item } = context;
  const variables = header.int32();
  header.skip(INT_BYTES); // what is divided by what
  const particle = header.int32();
  header.skip(4 * INT_BYTES); // regions, factors that have been applied
  const hasGroups = header.int32() !== 0;
  const [lower, upper, bins] = [readReal(header), readReal(header), header.int32()];
  if (bins < (hasGroups ? 0 : 1)) records.fail(`has an axis of ${bins} bins`);
  const message = `"${item}" is a yield as its card asks for it, in GeV and sr: its unit is not shown`;
  report.warn('OUTPUT_UNNAMED', fileName, message);
  const first = variables - YIELD_VARIABLES * Math.round(variables / YIELD_VARIABLES);
  const { factor, ...named } = nameYieldAxis(Math.abs(first));
  const axis = { ...named, lower: lower * factor, upper: upper * factor, bins, isLog: first < 0 };
  return {
    title: `YIELD ${describe(particle, context).name}`,
    axes: [axis],
    differentialAxes: 0,
    unit: '1',
    factor: 1,
    ...(hasGroups ? { groups: { isNeutron: particle === NEUTRON } } : {}),
  };
}

/** Nuclei by their charge and by N − Z, of which the file says the lowest. */
export function readResnuclei({ header, records }: DetectorContext): Detector {
  header.skip(2 * INT_BYTES); // kind of products, region
  const volumeCm3 = header.float32();
  const [excesses, charges, lowest] = [header.int32(), header.int32(), header.int32()];
  if (excesses < 1 || charges < 1) records.fail(`has ${charges} charges and ${excesses} kinds of nuclei of each`);
  return {
    title: 'RESNUCLEI',
    axes: [
      { name: 'Z', unit: '1', lower: 0.5, upper: charges + 0.5, bins: charges, isLog: false },
      {
        name: 'N-Z',
        unit: '1',
        lower: lowest + 0.5,
        upper: lowest + excesses + 0.5,
        bins: excesses,
        isLog: false,
      },
    ],
    differentialAxes: 0,
    unit: volumeCm3 === 1 ? 'nuclei' : 'nuclei/cm^3',
    factor: 1,
  };
}

/** A density in energy, per MeV: of energies it is the same as per GeV. */
function describeFlow(
  id: number,
  kind: string,
  context: DetectorContext,
): { readonly name: string; readonly factor: number } {
  const isEnergy = ENERGIES.includes(id);
  const { name } = describe(id, context);
  return { name: `${kind} ${name}`, factor: isEnergy ? 1 : 1 / MEV_PER_GEV };
}

function describe(id: number, { report, fileName, item }: DetectorContext): ScoredQuantity {
  const quantity = describeQuantity(id);
  if (!quantity.isKnown) report.warn('OUTPUT_UNNAMED', fileName, `"${item}" scores ${id}, which has no name here`);
  return quantity;
}

/** In MeV. Where neutrons are in groups, there may be no bins above them. */
function readEnergies({ header, records }: DetectorContext, isLog: boolean, hasGroups: boolean): NativeAxis {
  const [lower, upper, bins] = [readReal(header) * MEV_PER_GEV, readReal(header) * MEV_PER_GEV, header.int32()];
  header.skip(INT_BYTES);
  if (bins < (hasGroups ? 0 : 1)) records.fail(`has ${bins} bins of energies`);
  return { name: 'E', unit: 'MeV', lower, upper, bins, isLog };
}

/** A 32-bit real as the decimal number it was written for: -0.1 and not -0.10000000149. */
function readReal(reader: ByteReader): number {
  return Number(reader.float32().toPrecision(FLOAT32_DIGITS));
}
