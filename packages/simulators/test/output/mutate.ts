import { OutputError } from '../../src/output-error.js';

/** A small generator with a seed (mulberry32), so that a failing mutation can be had again. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Bytes that break parsers: signs, limits of counts, separators. */
const HOSTILE = [0x00, 0xff, 0x7f, 0x80, 0x2c, 0x0a, 0x2d, 0x39, 0x23, 0x20, 0x65];

/** The bytes with some changed, cut out, doubled or cut off. */
export function mutate(bytes: Uint8Array, random: () => number): Uint8Array {
  const pick = (count: number): number => Math.floor(random() * count);
  let mutated = Uint8Array.from(bytes);
  const changes = 1 + pick(4);
  for (let change = 0; change < changes; change += 1) {
    const at = pick(mutated.length);
    const kind = pick(8);
    if (kind === 0) mutated = mutated.slice(0, at);
    else if (kind === 1) mutated = Uint8Array.from([...mutated.slice(0, at), ...mutated.slice(at + 1 + pick(16))]);
    else if (kind === 2) mutated = Uint8Array.from([...mutated.slice(0, at), ...mutated.slice(at - pick(16))]);
    else if (kind < 5) mutated[at] = HOSTILE[pick(HOSTILE.length)] ?? 0;
    else if (kind < 7) mutated[at] = pick(256);
    else mutated.fill(0xff, at, at + 8);
  }
  return mutated;
}

export interface FuzzReport {
  readonly read: number;
  readonly refused: number;
  /** Time of the processor: a busy machine does not count. */
  readonly slowestMs: number;
}

const isOutputError = (err: unknown): boolean => err instanceof OutputError;

/** Mutates `seeds` so many times; every mutation must be read, or refused with a typed error: an OutputError. */
export function fuzz(
  seeds: readonly Uint8Array[],
  mutations: number,
  read: (bytes: Uint8Array) => unknown,
  isTyped: (err: unknown) => boolean = isOutputError,
): FuzzReport {
  const random = createRandom(20261121);
  let [readCount, refused, slowestMs] = [0, 0, 0];
  for (let run = 0; run < mutations; run += 1) {
    const bytes = mutate(seeds[run % seeds.length] ?? new Uint8Array(), random);
    const start = process.cpuUsage();
    try {
      read(bytes);
      readCount += 1;
    } catch (err) {
      if (!isTyped(err)) throw new Error(`mutation ${run}: ${String(err)}`, { cause: err });
      refused += 1;
    }
    const { user, system } = process.cpuUsage(start);
    slowestMs = Math.max(slowestMs, (user + system) / 1000);
  }
  return { read: readCount, refused, slowestMs };
}
