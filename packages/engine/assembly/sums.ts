// The tally's numbers. Sums of one detector that are taken together lie side by side in each bin, so that a bin is one
// place in memory; batches are read and cleared by units of 64 bins, of which only those that were touched count.

import { Filter } from './page';

/** What a sum adds up, per length of path. The first two also take what is deposited at a point. */
export const S_ENERGY: i32 = 0;
export const S_DOSE: i32 = 1;
/** Path of all particles, and of charged ones. */
export const S_LENGTH: i32 = 2;
export const S_CHARGED_LENGTH: i32 = 3;
export const S_LOSS: i32 = 4;
export const S_LOSS_LET: i32 = 5;
export const S_LET: i32 = 6;
// from here on what changes along the step
export const S_NUCLEON_ENERGY: i32 = 7;
export const S_BETA: i32 = 8;
export const S_LOSS_Z2: i32 = 9;
export const S_Z2: i32 = 10;
export const S_LOSS_ZEFF2: i32 = 11;
export const S_ZEFF2: i32 = 12;
/** Scored at collisions of neutrons only. */
export const S_KERMA: i32 = 13;

export const UNIT_SHIFT: i32 = 6;
export const UNIT_BINS: i32 = 1 << UNIT_SHIFT;

export class Sum {
  constructor(
    public kind: i32,
    public medium: i32,
    public filter: Filter,
  ) {}
}

/** Sums side by side: number i of bin b is at base + b·width + i of the tally. */
export class Group {
  base: i32 = 0;
  firstUnit: i32 = 0;
  width: i32 = 1;

  constructor(public bins: i32) {}

  units(): i32 {
    return (this.bins + UNIT_BINS - 1) >> UNIT_SHIFT;
  }

  /** Address of a bin's numbers. */
  address(bin: i32): usize {
    return tallyAddress + ((<usize>(this.base + bin * this.width)) << 3);
  }

  /** Address of the mark that a bin was touched. */
  mark(bin: i32): usize {
    return dirtyAddress + <usize>(this.firstUnit + (bin >> UNIT_SHIFT));
  }

  /** Address of a bin's numbers, which are about to change. */
  touch(bin: i32): usize {
    store<u8>(this.mark(bin), 1);
    return this.address(bin);
  }
}

export const groups = new Array<Group>();
let tally: StaticArray<f64> = new StaticArray<f64>(0);
let dirty: StaticArray<u8> = new StaticArray<u8>(0);
export let tallyAddress: usize = 0;
export let dirtyAddress: usize = 0;
let units: i32 = 0;

/** Gives every group its place. */
export function placeGroups(): void {
  let length = 0;
  units = 0;
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i];
    group.base = length;
    group.firstUnit = units;
    units += group.units();
    length += group.units() * UNIT_BINS * group.width;
  }
}

/** Reserves the memory. Returns the number of sums. */
export function reserveTally(): i32 {
  const last = groups.length - 1;
  const length = last < 0 ? 0 : groups[last].base + groups[last].units() * UNIT_BINS * groups[last].width;
  tally = new StaticArray<f64>(length);
  dirty = new StaticArray<u8>(units);
  tallyAddress = changetype<usize>(tally);
  dirtyAddress = changetype<usize>(dirty);
  return length;
}

/** Clears what was touched. */
export function clearTally(): void {
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i];
    const size = (<usize>(UNIT_BINS * group.width)) << 3;
    const base = tallyAddress + ((<usize>group.base) << 3);
    for (let unit = 0; unit < group.units(); unit++) {
      if (dirty[group.firstUnit + unit] == 0) continue;
      dirty[group.firstUnit + unit] = 0;
      memory.fill(base + <usize>unit * size, 0, size);
    }
  }
}
