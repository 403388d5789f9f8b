// What the current step adds to sums. What it adds to each per length is worked out when a detector first needs it.

import { ATOMIC_MASS_UNIT } from './constants';
import { Material, materials } from './material';
import {
  AVG_BETA,
  DOSE_Z2BETA2,
  DOSE_ZEFF2BETA2,
  Filter,
  fixedProperty,
  Modifier,
  NONE,
  P_ANGLE,
  P_DEDX,
  P_E,
  P_EAMU,
  P_ENUC,
  P_MDEDX,
  P_TL,
  P_Z2BETA2,
  P_ZEFF,
  P_ZEFF2BETA2,
  PARTLY,
  WHOLE,
} from './page';
import { NEUTRON, Species, species } from './species';
import { betaSquared } from './stopping-power';
import {
  Group,
  groups,
  S_BETA,
  S_DOSE,
  S_ENERGY,
  S_KERMA,
  S_LENGTH,
  S_LET,
  S_LOSS,
  S_LOSS_LET,
  S_LOSS_Z2,
  S_LOSS_ZEFF2,
  S_NUCLEON_ENERGY,
  S_Z2,
  S_ZEFF2,
  Sum,
} from './sums';
import { track } from './track';

/** Share of the energy lost in a step beyond which the energy does not fall evenly along it. */
const CURVED_LOSS: f64 = 0.1;
/** Parts at most of a piece whose energy crosses bins, and of a piece along which it falls unevenly. */
const PARTS_MAX: f64 = 32;
const CURVED_PARTS: i32 = 4;

// the current step
export let step: i32 = 0;
let particle: Species = new Species(0, 1, 1, 1, 1, 2, 1);
let generation: f64 = 0;
let history: f64 = 0;
let energyStart: f64 = 0;
let energyEnd: f64 = 0;
let energyDrop: f64 = 0;
let trackStart: f64 = 0;
let stepLength: f64 = 0;
let inverseLength: f64 = 0;
let directionZ: f64 = 0;
let local: Material = new Material(0, 0, 0, 0, 0);
/** Energy lost per length: as drawn, and without straggling. */
let lossRate: f64 = 0;
let meanLossRate: f64 = 0;
// where much of the energy is lost in the step: residual range at its start and what of it is used up, for the energy within
let curved: bool = false;
let rangeStart: f64 = 0;
let rangeDrop: f64 = 0;

/** Some sum needs speeds, some effective charges. */
let needsSpeed: bool = false;
let needsCharge: bool = false;

/** Takes note of a quantity that some page scores. */
export function prepareFor(quantity: i32): void {
  if (quantity == AVG_BETA || quantity >= DOSE_Z2BETA2) needsSpeed = true;
  if (quantity >= DOSE_ZEFF2BETA2) needsCharge = true;
}

/** Cosine to +z of the segment that comes next. */
export function setDirection(uz: f64): void {
  directionZ = uz;
}

/** Makes the neutron being followed the particle that filters and axes are asked of. */
export function takeNeutron(): void {
  particle = species[NEUTRON];
  generation = <f64>track.generation;
  history = track.history;
  directionZ = track.w;
}

/** Sums of one detector that are taken together: those of all pages without differential axes, or those of one page with. */
export class Bundle {
  sums: Array<Sum> = new Array<Sum>();
  group: Group;
  // of the current step, for each sum: its value per length at the step's start, and the change of that per length
  weight: StaticArray<f64> = new StaticArray<f64>(0);
  slope: StaticArray<f64> = new StaticArray<f64>(0);
  active: bool = false;
  sloped: bool = false;
  /** Worked out anew for each piece of the step. */
  detailed: bool = false;
  private varying: bool = false;

  constructor(
    bins: i32,
    public modifiers: Array<Modifier>,
  ) {
    this.group = new Group(bins);
    groups.push(this.group);
  }

  /** One sum, the same per length all along the step. */
  isPlain(): bool {
    return this.group.width == 1 && this.modifiers.length == 0 && !this.sloped && !this.detailed;
  }

  /** Number of the sum of a kind, medium and filter; added where there is none. */
  require(kind: i32, medium: i32, filter: Filter): i32 {
    for (let i = 0; i < this.sums.length; i++) {
      const sum = this.sums[i];
      if (sum.kind == kind && sum.medium == medium && sum.filter == filter) return i;
    }
    this.sums.push(new Sum(kind, medium, filter));
    const width = this.sums.length;
    // pairs of sums are added at once
    this.group.width = width > 1 ? (width + 1) & ~1 : 1;
    this.weight = new StaticArray<f64>(this.group.width);
    this.slope = new StaticArray<f64>(this.group.width);
    if (kind >= S_NUCLEON_ENERGY && kind <= S_ZEFF2) this.varying = true;
    return width - 1;
  }

  /** Sets the weights for the whole step. */
  weigh(): void {
    this.active = false;
    this.sloped = false;
    this.detailed = curved && this.varying;
    setEnds(energyStart, energyEnd, inverseLength);
    for (let i = 0; i < this.sums.length; i++) {
      const sum = this.sums[i];
      const verdict = judge(sum.filter);
      if (verdict == NONE || !scoresAlong(sum.kind)) {
        this.weight[i] = 0;
        this.slope[i] = 0;
        continue;
      }
      if (verdict == PARTLY) this.detailed = true;
      weighSum(sum);
      this.weight[i] = weightOf;
      this.slope[i] = slopeOf;
      if (slopeOf != 0) this.sloped = true;
      this.active = true;
    }
  }

  /** Sets the weights for a piece of the step. */
  weighPiece(from: f64, length: f64): void {
    const middle = from + 0.5 * length;
    const energy = energyAt(middle);
    setEnds(energyAt(from), energyAt(from + length), 1 / length);
    for (let i = 0; i < this.sums.length; i++) {
      const sum = this.sums[i];
      const verdict = judge(sum.filter);
      this.weight[i] = 0;
      this.slope[i] = 0;
      if (verdict == NONE || !scoresAlong(sum.kind)) continue;
      if (verdict == PARTLY && !passes(sum.filter, energy, trackStart + middle)) continue;
      weighSum(sum);
      this.weight[i] = weightOf;
      this.slope[i] = slopeOf;
    }
    this.sloped = true;
  }

  /** Adds `length` cm in a bin, `from` cm after the step's start. */
  add(bin: i32, length: f64, from: f64): void {
    let middle = from + 0.5 * length;
    if (this.detailed) {
      this.weighPiece(from, length);
      middle = 0.5 * length;
    }
    const at = this.group.touch(bin);
    const weight = changetype<usize>(this.weight);
    const slope = changetype<usize>(this.slope);
    if (this.group.width == 1) {
      store<f64>(at, load<f64>(at) + (load<f64>(weight) + load<f64>(slope) * middle) * length);
      return;
    }
    const size = (<usize>this.group.width) << 3;
    const lengths = f64x2.splat(length);
    if (!this.sloped) {
      for (let i: usize = 0; i < size; i += 16) {
        v128.store(at + i, f64x2.add(v128.load(at + i), f64x2.mul(v128.load(weight + i), lengths)));
      }
      return;
    }
    const middles = f64x2.splat(middle);
    for (let i: usize = 0; i < size; i += 16) {
      const value = f64x2.add(v128.load(weight + i), f64x2.mul(v128.load(slope + i), middles));
      v128.store(at + i, f64x2.add(v128.load(at + i), f64x2.mul(value, lengths)));
    }
  }

  /** As `add`, in the bins of the differential axes; the piece is cut where the energy crosses them. */
  addByAxes(spatialBins: i32, bin: i32, length: f64, from: f64): void {
    let parts = curved ? CURVED_PARTS : 1;
    const high = energyAt(from);
    const drop = high - energyAt(from + length);
    for (let i = 0; i < this.modifiers.length; i++) {
      const width = this.modifiers[i].energyWidth(high, particle);
      if (width > 0) parts = max(parts, <i32>min<f64>(PARTS_MAX, Math.ceil((2 * drop) / width)));
    }
    const part = length / <f64>parts;
    for (let k = 0; k < parts; k++) {
      const start = from + <f64>k * part;
      const middle = start + 0.5 * part;
      const cell = this.cellOf(spatialBins, bin, energyAt(middle), trackStart + middle);
      if (cell >= 0) this.add(cell, part, start);
    }
  }

  /** Bin of all axes together, or −1. */
  private cellOf(spatialBins: i32, bin: i32, energy: f64, track: f64): i32 {
    let index = bin;
    let stride = spatialBins;
    for (let i = 0; i < this.modifiers.length; i++) {
      const modifier = this.modifiers[i];
      const k = modifier.bin(propertyOf(modifier.property, energy, track));
      if (k < 0) return -1;
      index += stride * k;
      stride *= modifier.bins;
    }
    return index;
  }

  /** Adds energy that a nucleus (see `scorePoint`) leaves in a bin. */
  addPoint(
    spatialBins: i32,
    bin: i32,
    energy: f64,
    density: f64,
    charge: f64,
    mass: f64,
    gen: f64,
    primary: f64,
  ): void {
    for (let i = 0; i < this.sums.length; i++) {
      const sum = this.sums[i];
      if (sum.kind > S_DOSE || !admitsPoint(sum.filter, charge, mass, gen, primary)) continue;
      let cell = bin;
      let stride = spatialBins;
      for (let m = 0; m < this.modifiers.length; m++) {
        const modifier = this.modifiers[m];
        const k = modifier.bin(pointProperty(modifier.property, charge, mass, gen, primary));
        if (k < 0) return;
        cell += stride * k;
        stride *= modifier.bins;
      }
      this.addTo(cell, i, sum.kind == S_ENERGY ? energy : energy / density);
    }
  }

  addKerma(spatialBins: i32, bin: i32, kerma: f64): void {
    for (let i = 0; i < this.sums.length; i++) {
      const sum = this.sums[i];
      if (sum.kind != S_KERMA || !passes(sum.filter, track.energy, track.length)) continue;
      const cell = this.cellOf(spatialBins, bin, track.energy, track.length);
      if (cell >= 0) this.addTo(cell, i, kerma);
    }
  }

  private addTo(cell: i32, sum: i32, value: f64): void {
    const at = this.group.touch(cell) + ((<usize>sum) << 3);
    store<f64>(at, load<f64>(at) + value);
  }
}

function energyProperty(property: i32, energy: f64, path: f64): f64 {
  const tp = energy * particle.toProton;
  const z = <f64>particle.z;
  if (property == P_E) return energy;
  if (property == P_ENUC) return energy * particle.inverseA;
  if (property == P_EAMU) return energy * ATOMIC_MASS_UNIT * particle.inverseMass;
  if (property == P_TL) return path;
  // neutrons have no stopping power: below every axis
  if (particle.z == 0) return -1;
  const beta2 = Math.max(betaSquared(tp), 1e-12);
  if (property == P_Z2BETA2) return (z * z) / beta2;
  const charge = particle.effectiveCharge(Math.sqrt(beta2));
  if (property == P_ZEFF) return charge;
  if (property == P_ZEFF2BETA2) return (charge * charge) / beta2;
  if (!local.isMatter()) return 0;
  const s = local.rangeTable(particle.table).stoppingPower(tp);
  return property == P_MDEDX ? s : s * local.density;
}

function propertyOf(property: i32, energy: f64, path: f64): f64 {
  if (property == P_ANGLE) return Math.acos(Math.max(-1, Math.min(1, directionZ))) * (180 / Math.PI);
  if (property <= P_EAMU || property == P_DEDX || property == P_MDEDX || (property >= P_ZEFF && property <= P_TL)) {
    return energyProperty(property, energy, path);
  }
  return fixedProperty(
    property,
    <f64>particle.z,
    <f64>particle.a,
    particle.mass,
    generation,
    <f64>particle.id,
    history,
  );
}

function passes(filter: Filter, energy: f64, path: f64): bool {
  const rules = filter.rules;
  for (let i = 0; i < rules.length; i++) {
    const rule = rules[i];
    if (!rule.holds(propertyOf(rule.property, energy, path))) return false;
  }
  return true;
}

/** What a filter says to the current step. */
function judge(filter: Filter): i32 {
  if (filter.step == step) return filter.verdict;
  filter.step = step;
  filter.verdict = verdictOf(filter);
  return filter.verdict;
}

function verdictOf(filter: Filter): i32 {
  if (filter.rules.length == 0) return WHOLE;
  if (!filter.energyRules) return passes(filter, energyStart, trackStart) ? WHOLE : NONE;
  let verdict = WHOLE;
  for (let i = 0; i < filter.rules.length; i++) {
    const rule = filter.rules[i];
    const before = rule.holds(propertyOf(rule.property, energyStart, trackStart));
    const after = rule.holds(propertyOf(rule.property, energyEnd, trackStart + stepLength));
    if (rule.isBound() && !before && !after) return NONE;
    if (!before || !after || !rule.isBound()) verdict = PARTLY;
  }
  return verdict;
}

/** Whether a kind of sum takes the way of the current particle. */
function scoresAlong(kind: i32): bool {
  if (particle.z != 0) return kind != S_KERMA;
  return kind == S_LENGTH || kind == S_NUCLEON_ENERGY || kind == S_BETA;
}

/** Energy `path` cm after the start of the current step. */
function energyAt(path: f64): f64 {
  if (!curved) return energyStart - lossRate * path;
  const table = local.rangeTable(particle.table);
  return table.energy(rangeStart - rangeDrop * path * inverseLength) * particle.fromProton;
}

// at the two ends of what is being weighed: energy, speed, 1/speed² and effective charge squared over speed²
let inverseSpan: f64 = 0;
let energyA: f64 = -1;
let energyB: f64 = -1;
let endsOf: i32 = -1;
let speedA: f64 = 0;
let speedB: f64 = 0;
let inverseA: f64 = 0;
let inverseB: f64 = 0;
let chargeA: f64 = 0;
let chargeB: f64 = 0;

function setEnds(first: f64, second: f64, inverse: f64): void {
  inverseSpan = inverse;
  if (endsOf == particle.index && first == energyA && second == energyB) return;
  // the end of one step is the start of the next
  const known = endsOf == particle.index && first == energyB;
  energyA = first;
  energyB = second;
  endsOf = particle.index;
  if (!needsSpeed) return;
  if (known) {
    speedA = speedB;
    inverseA = inverseB;
    chargeA = chargeB;
  } else {
    const beta2 = Math.max(betaSquared(first * particle.toProton), 1e-12);
    speedA = Math.sqrt(beta2);
    inverseA = 1 / beta2;
    if (needsCharge) chargeA = chargeSquared(speedA) * inverseA;
  }
  const beta2 = Math.max(betaSquared(second * particle.toProton), 1e-12);
  speedB = Math.sqrt(beta2);
  inverseB = 1 / beta2;
  if (needsCharge) chargeB = chargeSquared(speedB) * inverseB;
}

function chargeSquared(speed: f64): f64 {
  const charge = particle.effectiveCharge(speed);
  return charge * charge;
}

// value per length at the first end, and its change per length
let weightOf: f64 = 0;
let slopeOf: f64 = 0;

function setLine(first: f64, second: f64): void {
  weightOf = first;
  slopeOf = (second - first) * inverseSpan;
}

function weighSum(sum: Sum): void {
  slopeOf = 0;
  const z2 = <f64>(particle.z * particle.z);
  switch (sum.kind) {
    case S_ENERGY:
      weightOf = lossRate;
      break;
    case S_DOSE:
      if (local.isMatter()) weightOf = lossIn(sum.medium) / local.density;
      else weightOf = sum.medium >= 0 ? stoppingOf(materials[sum.medium]) : 0;
      break;
    case S_LOSS:
      weightOf = lossIn(sum.medium);
      break;
    case S_LOSS_LET: {
      const loss = lossIn(sum.medium);
      weightOf = loss > 0 ? loss * doseLet(sum.medium >= 0 ? materials[sum.medium] : local) : 0;
      break;
    }
    case S_LET:
      if (sum.medium < 0) weightOf = meanLossRate;
      else weightOf = stoppingOf(materials[sum.medium]) * materials[sum.medium].density;
      break;
    case S_NUCLEON_ENERGY:
      setLine(energyA * particle.inverseA, energyB * particle.inverseA);
      break;
    case S_BETA:
      setLine(speedA, speedB);
      break;
    case S_Z2:
      setLine(z2 * inverseA, z2 * inverseB);
      break;
    case S_ZEFF2:
      setLine(chargeA, chargeB);
      break;
    case S_LOSS_Z2: {
      const loss = lossIn(sum.medium) * z2;
      setLine(loss * inverseA, loss * inverseB);
      break;
    }
    case S_LOSS_ZEFF2: {
      const loss = lossIn(sum.medium);
      setLine(loss * chargeA, loss * chargeB);
      break;
    }
    default:
      weightOf = 1;
  }
}

/** Mass stopping power in the middle of the step. */
function stoppingOf(medium: Material): f64 {
  return medium.rangeTable(particle.table).stoppingPower(0.5 * (energyStart + energyEnd) * particle.toProton);
}

/** Energy lost per length: in the local medium, or in another by the ratio of mass stopping powers. */
function lossIn(medium: i32): f64 {
  if (medium < 0) return lossRate;
  return local.isMatter() ? (lossRate * stoppingOf(materials[medium])) / stoppingOf(local) : 0;
}

/** Mean stopping power weighted by energy loss, ∫S dE/ΔE, MeV/cm. */
function doseLet(medium: Material): f64 {
  const table = medium.rangeTable(particle.table);
  const tpStart = energyStart * particle.toProton;
  const tpEnd = energyEnd * particle.toProton;
  const drop = tpStart - tpEnd;
  if (drop < 1e-7 * tpStart) return table.stoppingPower(tpStart) * medium.density;
  return ((table.integral(tpStart) - table.integral(tpEnd)) / drop) * medium.density;
}

/**
 * Announces a step: energy `start` falls to `end` over `length` cm of `material`; `meanLoss` is the loss without
 * straggling.
 */
export function beginStep(
  species: Species,
  gen: i32,
  primary: f64,
  start: f64,
  end: f64,
  meanLoss: f64,
  length: f64,
  path: f64,
  material: Material,
): void {
  step++;
  particle = species;
  generation = <f64>gen;
  history = primary;
  energyStart = start;
  energyEnd = end;
  energyDrop = start - end;
  stepLength = length;
  inverseLength = 1 / length;
  lossRate = energyDrop * inverseLength;
  meanLossRate = meanLoss * inverseLength;
  trackStart = path;
  local = material;
  curved = energyDrop > CURVED_LOSS * start && material.isMatter();
  if (curved) {
    const table = material.rangeTable(species.table);
    rangeStart = table.range(start * species.toProton);
    rangeDrop = rangeStart - table.range(end * species.toProton);
  }
}

function pointProperty(property: i32, charge: f64, mass: f64, gen: f64, primary: f64): f64 {
  if (property <= P_MDEDX || (property >= P_ZEFF && property <= P_TL)) return 0;
  return fixedProperty(property, charge, Math.round(mass), mass * ATOMIC_MASS_UNIT, gen, 25, primary);
}

function admitsPoint(filter: Filter, charge: f64, mass: f64, gen: f64, primary: f64): bool {
  const rules = filter.rules;
  for (let i = 0; i < rules.length; i++) {
    if (!rules[i].holds(pointProperty(rules[i].property, charge, mass, gen, primary))) return false;
  }
  return true;
}
