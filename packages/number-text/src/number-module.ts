import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What assembly/index.ts exports: places in its memory, and functions on the one text that lies there. */
interface NumberExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly POWERS: { readonly value: number };
  readonly NUMBERS: { readonly value: number };
  readonly TEXT: { readonly value: number };
  readonly PREFIX: { readonly value: number };
  fillScales(): void;
  clear(): void;
  textEnd(): number;
  extend(bytes: number): void;
  appendNumbers(count: number, isFirst: number, hasNulls: number): void;
  appendCounted(first: number, count: number, isFirst: number): void;
  appendRows(rows: number, columns: number, prefixBytes: number): void;
}
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** The module with a view of its memory. */
export interface NumberModule extends NumberExports {
  readonly bytes: Uint8Array;
}

/** Bytes of numbers that have room at `NUMBERS`; their text has room, too. */
export const NUMBER_BYTES_MAX = 64 * 1024;

let loaded: NumberModule | undefined;

/** The compiled assembly/, loaded when it is first asked for: about 600 KiB. What it is used for must not be interrupted. */
export function numberModule(): NumberModule {
  loaded ??= load();
  return loaded;
}

function load(): NumberModule {
  const module = new WebAssembly.Module(readFileSync(findModule()));
  const exports = new WebAssembly.Instance(module, { env: {} }).exports as NumberExports;
  const { buffer } = exports.memory;
  const bytes = new Uint8Array(buffer);
  writePowers(new BigUint64Array(buffer, exports.POWERS.value));
  exports.fillScales();
  return { ...exports, bytes };
}

const POWER_MIN = -292;
const POWER_MAX = 324;

/** ⌈10^k · 2^(127 − ⌊log2 10^k⌋)⌉ for each k: 128 bits, the highest of which is set. */
function writePowers(table: BigUint64Array): void {
  for (let k = POWER_MIN; k <= POWER_MAX; k += 1) {
    const size = 10n ** BigInt(Math.abs(k));
    const log2 = k < 0 ? -size.toString(2).length : size.toString(2).length - 1;
    const shift = BigInt(127 - log2);
    const [numerator, denominator] =
      k < 0 ? [1n << shift, size] : shift < 0n ? [size, 1n << -shift] : [size << shift, 1n];
    const power = (numerator + denominator - 1n) / denominator;
    table[2 * (k - POWER_MIN)] = power >> 64n;
    table[2 * (k - POWER_MIN) + 1] = power & 0xffff_ffff_ffff_ffffn;
  }
}

/** dist/numbers.wasm, seen from the sources or from the build. */
function findModule(): string {
  const folders = ['../dist', '..'].map((folder) => path.join(import.meta.dirname, folder));
  const file = folders.map((folder) => path.join(folder, 'numbers.wasm')).find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error('dist/numbers.wasm is missing. Run "pnpm build".');
  return file;
}
