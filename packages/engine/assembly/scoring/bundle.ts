// What the current step adds to sums. What it adds to each per length is worked out when a detector first needs it.

import { track } from '../transport/track';
import { Group, groups } from './group';
import { Filter, Modifier, NONE, PARTLY } from './page';
import {
  admitsPoint,
  curved,
  energyAt,
  energyEnd,
  energyStart,
  inverseLength,
  judge,
  particle,
  passes,
  pointProperty,
  propertyOf,
  scoresAlong,
  step,
  trackStart,
} from './step';
import { localSlopesAt, localWeightsAt, slopeOf, weighCurved, weighLocal, weightOf } from './sum-weight';
import { S_BETA, S_DOSE, S_ENERGY, S_KERMA, S_LENGTH, S_NUCLEON_ENERGY, S_ZEFF2, Sum } from './sums';

/** Parts at most of a piece whose energy crosses bins, and of a piece along which it falls unevenly. */
const PARTS_MAX: f64 = 32;
const CURVED_PARTS: i32 = 4;

/** The step that the sums in the local medium have been worked out for. */
let weighedStep: i32 = -1;

/** Works out the sums in the local medium for the current step. */
export function weighStep(): void {
  if (weighedStep == step) return;
  weighedStep = step;
  weighLocal(energyStart, energyEnd, inverseLength);
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
  /** All sums have one filter and are in the local medium; eight times their kinds, an even number of them. */
  private isLocal: bool = true;
  takesNeutrons: bool = false;
  private kinds: StaticArray<i32> = new StaticArray<i32>(0);

  constructor(
    group: Group,
    public modifiers: Array<Modifier>,
  ) {
    this.group = group;
    groups.push(group);
  }

  /** One sum, the same per length all along the step. */
  isPlain(): bool {
    return this.group.width == 1 && this.modifiers.length == 0 && !this.sloped && !this.detailed;
  }

  /** Kind of the one sum of all steps, in the local medium, the same per length all along a step; −1: it is not so. */
  onlyKind(): i32 {
    const isOnly = this.sums.length == 1 && this.modifiers.length == 0 && this.isLocal && !this.varying;
    return isOnly && this.sums[0].filter.rules.length == 0 ? this.sums[0].kind : -1;
  }

  /** Number of the sum of a kind, medium and filter; added where there is none. */
  require(kind: i32, medium: i32, filter: Filter): i32 {
    for (let i = 0; i < this.sums.length; i++) {
      const sum = this.sums[i];
      if (sum.kind == kind && sum.medium == medium && sum.filter == filter) return i;
    }
    this.sums.push(new Sum(kind, medium, filter));
    const width = this.sums.length;
    if (medium >= 0 || filter != this.sums[0].filter) this.isLocal = false;
    if (kind == S_LENGTH || kind == S_NUCLEON_ENERGY || kind == S_BETA) this.takesNeutrons = true;
    this.group.widen(width);
    // nothing is ever on its way to the kind that fills it up
    this.kinds = new StaticArray<i32>((width + 1) & ~1);
    this.kinds.fill(S_KERMA << 3);
    for (let i = 0; i < width; i++) this.kinds[i] = this.sums[i].kind << 3;
    this.weight = new StaticArray<f64>(this.group.width);
    this.slope = new StaticArray<f64>(this.group.width);
    if (kind >= S_NUCLEON_ENERGY && kind <= S_ZEFF2) this.varying = true;
    return width - 1;
  }

  /** Sets the weights for the whole step. */
  weigh(): void {
    weighStep();
    const weights = changetype<usize>(this.weight);
    const slopes = changetype<usize>(this.slope);
    const sums = this.sums;
    const count = sums.length;
    this.active = false;
    this.sloped = this.varying;
    this.detailed = curved && this.varying;
    if (this.isLocal) {
      const verdict = judge(unchecked(sums[0]).filter);
      this.active = verdict != NONE && (particle.z != 0 || this.takesNeutrons);
      if (verdict == PARTLY) this.detailed = true;
      if (!this.active) return;
      this.takeLocal();
      return;
    }
    // most sums have the filter of the one before
    let filter: Filter | null = null;
    let verdict = NONE;
    for (let i = 0; i < count; i++) {
      const sum = unchecked(sums[i]);
      if (sum.filter !== filter) {
        filter = sum.filter;
        verdict = judge(sum.filter);
      }
      let weight: f64 = 0;
      let slope: f64 = 0;
      if (verdict != NONE && scoresAlong(sum.kind)) {
        if (verdict == PARTLY) this.detailed = true;
        weight = weightOf(sum);
        slope = slopeOf(sum);
        this.active = true;
      }
      store<f64>(weights + ((<usize>i) << 3), weight);
      store<f64>(slopes + ((<usize>i) << 3), slope);
    }
  }

  /** Takes the weights of all sums in the local medium; in pairs, as they are loaded: a processor waits where a load takes two stores together. */
  @inline
  private takeLocal(): void {
    const weights = changetype<usize>(this.weight);
    const slopes = changetype<usize>(this.slope);
    if (this.group.width == 1) {
      const kind = load<usize>(changetype<usize>(this.kinds));
      store<f64>(weights, f64x2.extract_lane(localWeightsAt(kind, kind), 0));
      store<f64>(slopes, f64x2.extract_lane(localSlopesAt(kind, kind), 0));
      return;
    }
    let kinds = changetype<usize>(this.kinds);
    const end = (<usize>this.group.width) << 3;
    for (let i: usize = 0; i < end; i += 16) {
      const one = load<usize>(kinds);
      const other = load<usize>(kinds + 4);
      v128.store(weights + i, localWeightsAt(one, other));
      v128.store(slopes + i, localSlopesAt(one, other));
      kinds += 8;
    }
  }

  /** Sets the weights for a piece of the step. */
  weighPiece(from: f64, length: f64): void {
    const middle = from + 0.5 * length;
    const energy = energyAt(middle);
    weighedStep = -1;
    if (curved) weighCurved(energyAt(from), energyAt(from + length));
    else weighLocal(energyAt(from), energyAt(from + length), 1 / length);
    for (let i = 0; i < this.sums.length; i++) {
      const sum = this.sums[i];
      const verdict = judge(sum.filter);
      this.weight[i] = 0;
      this.slope[i] = 0;
      if (verdict == NONE || !scoresAlong(sum.kind)) continue;
      if (verdict == PARTLY && !passes(sum.filter, energy, trackStart + middle)) continue;
      this.weight[i] = weightOf(sum);
      this.slope[i] = slopeOf(sum);
    }
    this.sloped = true;
  }

  /**
   * Adds the way through `count` bins of a row, in steps of `way`: `first` cm, then `between` each, `last` cm; it begins `from`
   * cm after the step's start.
   */
  addRow(bin: i32, way: i32, count: i32, first: f64, between: f64, last: f64, from: f64): void {
    if (this.detailed || this.group.width == 1) {
      let at = from;
      for (let k = 0; k < count; k++) {
        const length = k == 0 ? first : k == count - 1 ? last : between;
        this.add(bin, length, at);
        bin += way;
        at += length;
      }
      return;
    }
    const low = way > 0 ? bin : bin - count + 1;
    this.group.touch(low, low + count);
    const size = (<usize>this.group.width) << 3;
    const move = way > 0 ? size : -size;
    let at = this.group.at(bin);
    let middle = from + 0.5 * first;
    this.addWide(at, size, first, middle);
    at += move;
    middle += 0.5 * (first + between);
    for (let k = count - 2; k > 0; k--) {
      this.addWide(at, size, between, middle);
      at += move;
      middle += between;
    }
    if (count > 1) this.addWide(at, size, last, middle + 0.5 * (last - between));
  }

  /** Adds `length` cm in a bin, `from` cm after the step's start. */
  add(bin: i32, length: f64, from: f64): void {
    let middle = from + 0.5 * length;
    if (this.detailed) {
      this.weighPiece(from, length);
      middle = 0.5 * length;
    }
    if (this.group.width == 1) {
      const weight = load<f64>(changetype<usize>(this.weight));
      const slope = load<f64>(changetype<usize>(this.slope));
      this.group.addOne(bin, (weight + slope * middle) * length);
      return;
    }
    this.group.touch(bin, bin + 1);
    this.addWide(this.group.at(bin), (<usize>this.group.width) << 3, length, middle);
  }

  /** Adds `length` cm to the sums at an address, by their weights at a place of the step. */
  @inline
  private addWide(at: usize, size: usize, length: f64, middle: f64): void {
    const weight = changetype<usize>(this.weight);
    const lengths = f64x2.splat(length);
    if (!this.sloped) {
      for (let i: usize = 0; i < size; i += 16) {
        v128.store(at + i, f64x2.add(v128.load(at + i), f64x2.mul(v128.load(weight + i), lengths)));
      }
      return;
    }
    const slope = changetype<usize>(this.slope);
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
    if (this.group.width == 1) {
      this.group.addOne(cell, value);
      return;
    }
    this.group.touch(cell, cell + 1);
    const at = this.group.at(cell) + ((<usize>sum) << 3);
    store<f64>(at, load<f64>(at) + value);
  }
}
