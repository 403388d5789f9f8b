// The numbers of a detector's bins: what the current history scores, the sums that are taken together side by side in each
// bin; and the moments of all histories. Bins that lie along the beam are neighbours in memory, since a track runs through
// one after the other. Which blocks of bins a history has touched is kept in a list, by which it is added to the moments.

import { HISTORIES_BETWEEN_MOVES, LONG_SHIFT, Moments, PAIR_SHIFT, Products, SMALL_SCORE, takeLong } from './moments';
import { Page } from './page';

/** Bins of a block, as powers of two: of one sum each, of several. */
const BLOCK_SHIFT: i32 = 3;
const WIDE_BLOCK_SHIFT: i32 = 2;
/** Groups of so few bins keep no list, only the first and the last bin that a history has touched. */
const SMALL: i32 = 1024;
/** Bins that are added to the moments together: they fit the first cache. */
const TOGETHER: i32 = 16;
/** Of a block: the current history has scored in it; it has sums. The bits below count histories since its integers were moved. */
const TOUCHED: u16 = 1 << 15;
const LONG: u16 = 1 << 14;

export class Group {
  width: i32 = 1;
  private moments: Array<Moments> = new Array<Moments>();
  private products: Array<Products> = new Array<Products>();
  private isConstant: bool = true;
  private blockShift: i32 = BLOCK_SHIFT;
  /** Numbers of each bin of the current history, one bin after the other. */
  scores: usize = 0;
  /** Of all histories, pair by pair in each bin: integers, and sums. */
  private counts: usize = 0;
  private sums: usize = 0;
  /** Of each sum: what scores must be below to be small. */
  private limits: StaticArray<f64> = new StaticArray<f64>(0);
  /** Bytes of a bin in `scores` and in `counts`. */
  private scoreSize: usize = 8;
  private countSize: usize = 0;
  private marks: usize = 0;
  list: usize = 0;
  private listEnd: usize = 0;
  private isSmall: bool;
  private first: i32;
  private end: i32 = 0;
  /** Since the integers of a group without a list were moved. */
  private histories: i32 = 0;

  constructor(
    public bins: i32,
    /** Bins that lie side by side in memory and in space, and how many such rows there are for each bin of the other axes. */
    private row: i32,
    private rows: i32,
  ) {
    this.isSmall = bins <= SMALL;
    this.first = bins;
  }

  /** Makes room for so many sums in each bin. */
  widen(sums: i32): void {
    // pairs of sums are added at once
    this.width = sums > 1 ? (sums + 1) & ~1 : 1;
    this.blockShift = sums > 1 ? WIDE_BLOCK_SHIFT : BLOCK_SHIFT;
  }

  /** Number of the moments of a sum; `unit` as of `Moments`. */
  requireMoments(sum: i32, unit: f64, page: Page): i32 {
    const added = new Moments(sum, unit, page);
    if (page.firstFactors.length == 0) {
      // sums of ratios have no factor, and may be several pages'
      for (let i = 0; i < this.moments.length; i++) {
        if (this.moments[i].sum == sum && this.moments[i].unit == unit && this.moments[i].isPure) return i;
      }
    }
    if (!added.isConstant) this.isConstant = false;
    this.moments.push(added);
    return this.moments.length - 1;
  }

  /** Number of the products of two moments. */
  addProduct(first: i32, second: i32): i32 {
    const a = this.moments[first];
    const b = this.moments[second];
    const last = this.products.length - 1;
    if (last >= 0 && !this.products[last].isFull) {
      this.products[last].addSecond(a.sum, b.sum, a.unit, b.unit);
      return 2 * last + 1;
    }
    this.products.push(new Products(a.sum, b.sum, a.unit, b.unit));
    return 2 * last + 2;
  }

  /** Pairs of moments in each bin. */
  pairs(): i32 {
    return this.moments.length + this.products.length;
  }

  /** Which of the numbers of a bin a product is. */
  placeOfProduct(product: i32): i32 {
    return 2 * (this.moments.length + (product >> 1)) + (product & 1);
  }

  reserve(): void {
    const blocks = <usize>this.blocks();
    const bins = blocks << this.blockShift;
    this.scoreSize = (<usize>this.width) << 3;
    this.countSize = (<usize>this.pairs()) << PAIR_SHIFT;
    // new memory is zero, and takes none until it is written: nothing that was reserved is ever given back
    this.scores = heap.alloc(bins * this.scoreSize);
    this.counts = heap.alloc(bins * this.countSize);
    this.sums = heap.alloc((bins * <usize>this.pairs()) << LONG_SHIFT);
    this.marks = heap.alloc(blocks << 1);
    if (this.isSmall) for (let block: usize = 0; block < blocks; block++) store<u16>(this.marks + (block << 1), LONG);
    this.limits = new StaticArray<f64>(this.width);
    this.limits.fill(Infinity);
    for (let i = 0; i < this.moments.length; i++) {
      const each = this.moments[i];
      this.limits[each.sum] = Math.min(this.limits[each.sum], SMALL_SCORE * each.unit);
    }
    this.list = heap.alloc((blocks + 1) << 2);
    this.listEnd = this.list;
  }

  /** Puts the blocks of bins [first, end) on the list. */
  @inline
  touch(first: i32, end: i32): void {
    if (this.isSmall) {
      this.first = min(this.first, first);
      this.end = max(this.end, end);
      return;
    }
    const shift = this.blockShift;
    let block = first >> shift;
    const last = (end - 1) >> shift;
    do {
      const mark = this.markOf(block);
      const was = load<u16>(mark);
      if ((was & TOUCHED) == 0) {
        if (was == 0) this.take(block);
        store<u16>(mark, was | TOUCHED);
        store<i32>(this.listEnd, block);
        this.listEnd += 4;
      }
    } while (++block <= last);
  }

  /** Writes to the memory of a block, all zero: what is read before it is written costs two page faults. */
  private take(block: i32): void {
    const bin = (<usize>block) << this.blockShift;
    store<f64>(this.scores + bin * this.scoreSize, 0);
    store<f64>(this.counts + bin * this.countSize, 0);
  }

  @inline
  private markOf(block: i32): usize {
    return this.marks + ((<usize>block) << 1);
  }

  /** Where the numbers of a bin are. */
  @inline
  at(bin: i32): usize {
    return this.scores + <usize>bin * this.scoreSize;
  }

  /** Adds to the one sum of each bin of a row: to the first, to the last, and to each between. */
  @inline
  addRow(bin: i32, count: i32, first: f64, between: f64, last: f64): void {
    this.touch(bin, bin + count);
    let at = this.scores + ((<usize>bin) << 3);
    const end = at + ((<usize>(count - 1)) << 3);
    store<f64>(at, load<f64>(at) + first);
    for (at += 8; at < end; at += 8) store<f64>(at, load<f64>(at) + between);
    store<f64>(at, load<f64>(at) + last);
  }

  /** Adds to the one sum of a bin. */
  @inline
  addOne(bin: i32, value: f64): void {
    this.touch(bin, bin + 1);
    const at = this.scores + ((<usize>bin) << 3);
    store<f64>(at, load<f64>(at) + value);
  }

  /** Ends a history: adds what it scored to the moments, and clears it. */
  close(): void {
    if (this.isSmall) {
      for (let first = this.first; first < this.end; first += TOGETHER) {
        this.closeBins(first, min(TOGETHER, this.end - first));
      }
      this.first = this.bins;
      this.end = 0;
      if (++this.histories == HISTORIES_BETWEEN_MOVES) {
        this.histories = 0;
        for (let block = 0; block < this.blocks(); block++) this.moveBlock(block);
      }
      return;
    }
    takeLong();
    const end = this.listEnd;
    const shift = this.blockShift;
    for (let entry = this.list; entry < end; entry += 4) {
      const block = load<i32>(entry);
      this.closeBins(block << shift, min(1 << shift, this.bins - (block << shift)));
      const mark = this.markOf(block);
      const state = (load<u16>(mark) & ~TOUCHED) + 1;
      store<u16>(mark, takeLong() ? state | LONG : state);
      if ((state & ~LONG) == HISTORIES_BETWEEN_MOVES) this.moveBlock(block);
    }
    this.listEnd = this.list;
  }

  /** Adds what the history scored in some bins to the moments, and clears it. */
  @inline
  private closeBins(first: i32, count: i32): void {
    if (this.isConstant) this.addToMoments(first, count);
    else this.closeRows(first, count);
    let at = this.at(first);
    const end = at + <usize>count * this.scoreSize;
    for (; at + 8 < end; at += 16) v128.store(at, f64x2.splat(0));
    if (at < end) store<f64>(at, 0);
  }

  private closeRows(first: i32, count: i32): void {
    const end = first + count;
    while (first < end) {
      const row = first / this.row;
      const next = min(end, (row + 1) * this.row);
      this.setRow(row);
      this.addToMoments(first, next - first);
      first = next;
    }
  }

  private setRow(row: i32): void {
    for (let i = 0; i < this.moments.length; i++) this.moments[i].setRow(row, this.rows);
  }

  private addToMoments(first: i32, count: i32): void {
    if (this.areSmall(this.at(first), count)) this.addSmall(first, count);
    else this.addAny(first, count);
  }

  /** Whether the scores of bins are all small: nearly always. */
  @inline
  private areSmall(from: usize, count: i32): bool {
    const width = this.scoreSize;
    const end = from + <usize>count * width;
    const limits = changetype<usize>(this.limits);
    let are = i64x2.splat(-1);
    if (width == 8) {
      const limit = v128.load64_splat(limits);
      let at = from;
      for (; at + 8 < end; at += 16) are = v128.and(are, f64x2.lt(v128.load(at), limit));
      if (at < end) are = v128.and(are, f64x2.lt(v128.load64_splat(at), limit));
      return i64x2.bitmask(are) == 3;
    }
    for (let i: usize = 0; i < width; i += 16) {
      const limit = v128.load(limits + i);
      for (let at = from + i; at < end; at += width) are = v128.and(are, f64x2.lt(v128.load(at), limit));
    }
    return i64x2.bitmask(are) == 3;
  }

  private addSmall(first: i32, count: i32): void {
    let from = this.at(first);
    const width = this.scoreSize;
    const stride = this.countSize;
    let to = this.counts + <usize>first * stride;
    const moments = this.moments;
    if (width == 8 && moments.length == 1) {
      const even = count & ~1;
      unchecked(moments[0]).addTwins(from, to, even);
      if (even == count) return;
      from += (<usize>even) << 3;
      to += (<usize>even) << PAIR_SHIFT;
      count = 1;
    }
    const single = moments.length & ~1;
    for (let i = 0; i < single; i += 2) {
      Moments.addTwoSmall(unchecked(moments[i]), unchecked(moments[i + 1]), from, width, to, stride, count);
      to += 2 << PAIR_SHIFT;
    }
    if (single < moments.length) {
      const each = unchecked(moments[single]);
      each.addSmall(from + ((<usize>each.sum) << 3), width, to, stride, count);
      to += 1 << PAIR_SHIFT;
    }
    const products = this.products;
    for (let i = 0; i < products.length; i++) {
      unchecked(products[i]).addSmall(from, width, to, stride, count);
      to += 1 << PAIR_SHIFT;
    }
  }

  private addAny(first: i32, count: i32): void {
    const from = this.at(first);
    const width = this.scoreSize;
    const stride = this.countSize;
    let to = this.counts + <usize>first * stride;
    let long = this.sums + <usize>first * (stride << 1);
    const moments = this.moments;
    for (let i = 0; i < moments.length; i++) {
      const each = unchecked(moments[i]);
      each.add(from + ((<usize>each.sum) << 3), width, to, stride, long, count);
      to += 1 << PAIR_SHIFT;
      long += 1 << LONG_SHIFT;
    }
    const products = this.products;
    for (let i = 0; i < products.length; i++) {
      unchecked(products[i]).add(from, width, to, stride, long, count);
      to += 1 << PAIR_SHIFT;
      long += 1 << LONG_SHIFT;
    }
  }

  /** Moves the integers of a block to its sums. */
  private moveBlock(block: i32): void {
    store<u16>(this.markOf(block), LONG);
    const size = this.countSize;
    const end = (block + 1) << this.blockShift;
    for (let bin = block << this.blockShift; bin < end; bin++) {
      if (!this.isConstant) this.setRow(bin / this.row);
      let from = this.counts + <usize>bin * size;
      let to = this.sums + <usize>bin * (size << 1);
      for (let pair = 0; pair < this.pairs(); pair++) {
        Moments.move(from, to, this.quanta(pair));
        from += 1 << PAIR_SHIFT;
        to += 1 << LONG_SHIFT;
      }
    }
  }

  private blocks(): i32 {
    return ((this.bins - 1) >> this.blockShift) + 1;
  }

  blockBins(): i32 {
    return 1 << this.blockShift;
  }

  /** Lists the blocks that have been scored in, at `list`, and returns how many; not while a history is open. */
  listScored(): i32 {
    const blocks = this.blocks();
    let count = 0;
    for (let block = 0; block < blocks; block++) {
      if (load<u16>(this.markOf(block)) == 0) continue;
      store<i32>(this.list + ((<usize>count) << 2), block);
      count++;
    }
    return count;
  }

  /** Bytes that the moments of the bins of a block take, and as many what float64 leaves of them. */
  writtenSize(): usize {
    return this.countSize << this.blockShift;
  }

  /** Writes the moments of a block from the list, and what float64 leaves of them. */
  writeBlock(entry: i32, to: usize, rest: usize): void {
    const block = load<i32>(this.list + ((<usize>entry) << 2));
    const isLong = (load<u16>(this.markOf(block)) & LONG) != 0;
    const end = (block + 1) << this.blockShift;
    for (let bin = block << this.blockShift; bin < end; bin++) {
      if (!this.isConstant) this.setRow(bin / this.row);
      const offset = <usize>bin * this.countSize;
      let from = this.counts + offset;
      let long = isLong ? this.sums + (offset << 1) : 0;
      for (let pair = 0; pair < this.pairs(); pair++) {
        Moments.write(from, long, to, rest, this.quanta(pair));
        from += 1 << PAIR_SHIFT;
        if (isLong) long += 1 << LONG_SHIFT;
        to += 1 << PAIR_SHIFT;
        rest += 1 << PAIR_SHIFT;
      }
    }
  }

  private quanta(pair: i32): v128 {
    const squares = this.moments.length;
    return pair < squares ? this.moments[pair].quanta() : this.products[pair - squares].quanta();
  }
}

export const groups = new Array<Group>();

/** Reserves the memory. */
export function reserveTally(): void {
  for (let i = 0; i < groups.length; i++) groups[i].reserve();
}

/** Ends a history. */
export function closeHistory(): void {
  for (let i = 0; i < groups.length; i++) groups[i].close();
}
