import { SWEEP_TEXTS as T } from '../texts/sweeps.js';

/** A job each. */
const VALUES_MAX = 200;

/** Values of a parameter, or why there are none. */
export type Values = { readonly values: readonly number[] } | { readonly fault: string };

/** As `tally sweep` takes them: `70:230:20` (both ends belong to it), `70, 100, 150`, or one value. */
export function readValues(text: string): Values {
  const range = text.split(':').map((part) => part.trim());
  if (range.length === 1) return readList(text);
  const [from, to, step] = range.map(Number);
  if (range.length !== 3 || range.includes('') || from === undefined || to === undefined || step === undefined)
    return { fault: T.notRange };
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  if (!Number.isFinite(count) || step === 0 || count < 1) return { fault: T.notRange };
  if (count > VALUES_MAX) return { fault: T.tooMany(VALUES_MAX) };
  return { values: Array.from({ length: count }, (_, i) => Number((from + i * step).toPrecision(12))) };
}

function readList(text: string): Values {
  const parts = text.split(/[,;\s]+/).filter((part) => part !== '');
  if (parts.length === 0) return { fault: T.noValues };
  const wrong = parts.find((part) => !Number.isFinite(Number(part)));
  if (wrong !== undefined) return { fault: T.notNumber(wrong) };
  const values = [...new Set(parts.map(Number))];
  return values.length > VALUES_MAX ? { fault: T.tooMany(VALUES_MAX) } : { values };
}
