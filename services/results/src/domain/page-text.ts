import { binsOf, type EstimatorPageHeader } from './page.js';
import type { FinalPageHeader } from './result.js';

/** A page with what is known of it before its numbers come. */
export type ShownPageHeader = EstimatorPageHeader & Partial<Pick<FinalPageHeader, 'nonFiniteCount' | 'metadataJson'>>;

/**
 * The JSON text of one page as the public API shows it, made while its numbers come in:
 * `{"page_number","name","data":{"values","dimensions","unit","errors","axes"}}`, and where there are such things
 * `"non_finite_count"` and `"metadata"` behind `data`.
 * Every number is the shortest decimal that reads back as the same float64. A value that is not finite becomes 0 with
 * error null; an error that is not finite is unknown: null. A list has a second axis: the numbers of its records, from 1.
 */
export class PageText {
  readonly #bins: number;
  /** Numbers taken so far: values first, then errors. */
  #count = 0;
  /** One bit per bin: its value was not finite. */
  readonly #isNonFinite: Uint8Array;
  #nonFiniteCount = 0;

  constructor(private readonly header: ShownPageHeader) {
    this.#bins = binsOf(header);
    this.#isNonFinite = new Uint8Array(Math.ceil(this.#bins / 8));
  }

  /** Values that were not finite, here or, as the header says, before. */
  get nonFiniteCount(): number {
    return Math.max(this.#nonFiniteCount, this.header.nonFiniteCount ?? 0);
  }

  /** The text for the next numbers; all calls together bring each value and then each error. */
  push(numbers: Float64Array): string {
    const pieces: string[] = [];
    let rest = numbers;
    while (rest.length > 0) {
      const isError = this.#count >= this.#bins;
      const left = (isError ? 2 : 1) * this.#bins - this.#count;
      if (left <= 0) throw new RangeError('more numbers than the page has');
      const run = rest.subarray(0, left);
      const isFirst = this.#count === 0 || this.#count === this.#bins;
      if (isFirst) pieces.push(isError ? this.#middle() : this.#head());
      else pieces.push(',');
      pieces.push(isError ? this.#errors(run) : this.#values(run));
      this.#count += run.length;
      rest = rest.subarray(run.length);
    }
    return pieces.join('');
  }

  /** What closes the text. */
  end(): string {
    if (this.#count !== 2 * this.#bins) throw new RangeError('fewer numbers than the page has');
    const axes = this.header.axes.map(({ name, unit }) => ({ name, unit }));
    if (this.header.kind === 'list') axes.push(RECORD_AXIS);
    const start = this.#bins === 0 ? this.#head() + this.#middle() : '';
    const count = this.nonFiniteCount === 0 ? '' : `,"non_finite_count":${this.nonFiniteCount}`;
    const { metadataJson } = this.header;
    const metadata = metadataJson === undefined ? '' : `,"metadata":${metadataJson}`;
    return `${start}],"axes":${JSON.stringify(axes)}}${count}${metadata}}`;
  }

  #head(): string {
    const { pageNumber, pageName } = this.header;
    return `{"page_number":${pageNumber},"name":${JSON.stringify(pageName)},"data":{"values":[`;
  }

  #middle(): string {
    const dimensions = this.header.axes.map(({ centers }) => `[${centers.map(numberText).join(',')}]`);
    if (this.header.kind === 'list') dimensions.push(`[${recordNumbers(this.header.recordCount ?? 0)}]`);
    return `],"dimensions":[${dimensions.join(',')}],"unit":${JSON.stringify(this.header.unit)},"errors":[`;
  }

  #values(run: Float64Array): string {
    const texts: string[] = [];
    for (const [index, value] of run.entries()) {
      if (Number.isFinite(value)) {
        texts.push(numberText(value));
        continue;
      }
      const bin = this.#count + index;
      this.#isNonFinite[bin >> 3] = (this.#isNonFinite[bin >> 3] ?? 0) | (1 << (bin & 7));
      this.#nonFiniteCount += 1;
      texts.push('0');
    }
    return texts.join(',');
  }

  #errors(run: Float64Array): string {
    const texts: string[] = [];
    for (const [index, error] of run.entries()) {
      const bin = this.#count + index - this.#bins;
      const isKnown = Number.isFinite(error) && ((this.#isNonFinite[bin >> 3] ?? 0) & (1 << (bin & 7))) === 0;
      texts.push(isKnown ? numberText(error) : 'null');
    }
    return texts.join(',');
  }
}

/** The axis of a list that its columns are not. */
const RECORD_AXIS = { name: 'particle', unit: '' };

function recordNumbers(count: number): string {
  return Array.from({ length: count }, (_, index) => index + 1).join(',');
}

/** ECMAScript's text of a number is the shortest that reads back the same (ECMA-262, Number::toString), but for -0. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
