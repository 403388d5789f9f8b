// A page: one scored quantity of one detector, with its filter, its differential axes and its place in the tally.

import { ATOMIC_MASS_UNIT } from '../constants';
import { Species } from '../transport/species';

export const ENERGY: i32 = 0;
export const DOSE: i32 = 1;
export const FLUENCE: i32 = 2;
export const AVG_ENERGY: i32 = 3;
export const AVG_BETA: i32 = 4;
export const DOSE_LET: i32 = 5;
export const TRACK_LET: i32 = 6;
export const DOSE_Z2BETA2: i32 = 7;
export const TRACK_Z2BETA2: i32 = 8;
export const DOSE_ZEFF2BETA2: i32 = 9;
export const TRACK_ZEFF2BETA2: i32 = 10;
export const NEUTRON_KERMA: i32 = 11;

// differential axes and filter keywords share one list of particle properties
export const P_E: i32 = 0;
export const P_ENUC: i32 = 1;
export const P_EAMU: i32 = 2;
export const P_ANGLE: i32 = 3;
export const P_DEDX: i32 = 4;
export const P_MDEDX: i32 = 5;
export const P_Z: i32 = 6;
export const P_ZEFF: i32 = 7;
export const P_Z2BETA2: i32 = 8;
export const P_ZEFF2BETA2: i32 = 9;
export const P_TL: i32 = 10;
export const P_A: i32 = 11;
export const P_AMASS: i32 = 12;
export const P_AMU: i32 = 13;
export const P_GEN: i32 = 14;
export const P_ID: i32 = 15;
export const P_NPRIM: i32 = 16;
/** Charge and mass number in one number: 1024 Z + A. */
export const P_KIND: i32 = 17;

export class Modifier {
  origin: f64 = 0;
  inverseWidth: f64 = 0;
  constructor(
    public property: i32,
    public lower: f64,
    public upper: f64,
    public bins: i32,
    public log: bool,
  ) {
    this.origin = log ? Math.log(lower) : lower;
    this.inverseWidth = <f64>bins / ((log ? Math.log(upper) : upper) - this.origin);
  }

  /** Bin of a value, or −1. */
  bin(value: f64): i32 {
    if (!(value >= this.lower) || value >= this.upper) return -1;
    const i = <i32>(((this.log ? Math.log(value) : value) - this.origin) * this.inverseWidth);
    return i < this.bins ? i : this.bins - 1;
  }

  /** Bin width near an energy, in units of energy; 0 where the axis is not an energy. */
  energyWidth(energy: f64, particle: Species): f64 {
    let unit: f64 = 1;
    if (this.property == P_ENUC) unit = <f64>particle.a;
    else if (this.property == P_EAMU) unit = particle.mass / ATOMIC_MASS_UNIT;
    else if (this.property != P_E) return 0;
    return this.log ? energy / this.inverseWidth : unit / this.inverseWidth;
  }
}

export class Rule {
  /** Further values with which an equality holds. */
  alternatives: Array<f64> = new Array<f64>();

  constructor(
    public property: i32,
    public operator: i32,
    public value: f64,
  ) {}

  holds(x: f64): bool {
    if (this.operator == 0) return x == this.value || this.alternatives.includes(x);
    if (this.operator == 1) return x != this.value;
    if (this.operator == 2) return x < this.value;
    if (this.operator == 3) return x <= this.value;
    if (this.operator == 4) return x > this.value;
    return x >= this.value;
  }

  /** Where the two ends of a falling energy fail, everything between fails. */
  isBound(): bool {
    return this.operator >= 2;
  }
}

/** True where the property changes while the particle slows down. */
function dependsOnEnergy(property: i32): bool {
  return property <= P_EAMU || (property >= P_DEDX && property <= P_MDEDX) || (property >= P_ZEFF && property <= P_TL);
}

// what a filter says to a step
export const NONE: i32 = 0;
export const WHOLE: i32 = 1;
/** Some of it: the energy passes a rule's value within the step. */
export const PARTLY: i32 = 2;

/** Rules that must all hold. Pages of the same rules share one. */
export class Filter {
  rules: Array<Rule> = new Array<Rule>();
  energyRules: bool = false;
  /** Of the step whose number is `step`. */
  verdict: i32 = WHOLE;
  step: i32 = -1;

  /** Operator −1: a further value of the rule before, an equality. */
  add(property: i32, operator: i32, value: f64): void {
    if (operator < 0) {
      this.rules[this.rules.length - 1].alternatives.push(value);
      return;
    }
    this.rules.push(new Rule(property, operator, value));
    if (dependsOnEnergy(property)) this.energyRules = true;
  }

  equals(other: Filter): bool {
    if (this.rules.length != other.rules.length) return false;
    for (let i = 0; i < this.rules.length; i++) {
      const one = this.rules[i];
      const two = other.rules[i];
      if (one.property != two.property || one.operator != two.operator || one.value != two.value) return false;
      if (one.alternatives.length != two.alternatives.length) return false;
      for (let k = 0; k < one.alternatives.length; k++) {
        if (one.alternatives[k] != two.alternatives[k]) return false;
      }
    }
    return true;
  }
}

export class Page {
  modifiers: Array<Modifier> = new Array<Modifier>();
  filter: Filter = new Filter();
  /** Where its moments are: numbers of the group, and in it of the sum's, of a ratio's denominator's and of their product. */
  group: i32 = 0;
  moments: i32 = 0;
  denominator: i32 = -1;
  product: i32 = -1;
  differentialBins: i32 = 1;
  /** From the raw sum to the page's unit: of a bin of the first axis, and of one of the differential axes together. None of a ratio. */
  firstFactors: Array<f64> = new Array<f64>();
  differentialFactors: Array<f64> = new Array<f64>();

  constructor(
    public detector: i32,
    public quantity: i32,
    /** Index of the medium referred to; −1: the local one. */
    public medium: i32,
  ) {}

  isRatio(): bool {
    return this.quantity >= AVG_ENERGY && this.quantity < NEUTRON_KERMA;
  }

  /** Scored along the path of neutrons. */
  takesNeutrons(): bool {
    return this.quantity >= FLUENCE && this.quantity <= AVG_BETA;
  }

  needsDirection(): bool {
    for (let i = 0; i < this.modifiers.length; i++) if (this.modifiers[i].property == P_ANGLE) return true;
    const rules = this.filter.rules;
    for (let i = 0; i < rules.length; i++) if (rules[i].property == P_ANGLE) return true;
    return false;
  }

  addModifier(property: i32, lower: f64, upper: f64, bins: i32, log: bool): void {
    this.modifiers.push(new Modifier(property, lower, upper, bins, log));
    this.differentialBins *= bins;
  }

  addRule(property: i32, operator: i32, value: f64): void {
    this.filter.add(property, operator, value);
  }
}

/** A property that does not depend on energy. */
export function fixedProperty(property: i32, z: f64, a: f64, mass: f64, generation: f64, id: f64, history: f64): f64 {
  if (property == P_Z) return z;
  if (property == P_A) return a;
  if (property == P_GEN) return generation;
  if (property == P_ID) return id;
  if (property == P_NPRIM) return history;
  if (property == P_AMASS) return mass;
  if (property == P_KIND) return 1024 * z + a;
  return mass / ATOMIC_MASS_UNIT;
}
