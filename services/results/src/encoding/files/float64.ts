import { takeNumberBytes } from '@tally/merge';
import { arraysOf } from '../../domain/page/number-page.js';
import type { NumberResults } from '../../domain/result/export-results.js';

/** The arrays of each page, one after the other: little-endian float64 and nothing else. */
export async function* writeFloat64({ pages }: NumberResults): AsyncGenerator<Uint8Array> {
  for (const { read } of pages.flatMap(arraysOf)) {
    for await (const numbers of read()) yield takeNumberBytes(numbers);
  }
}
