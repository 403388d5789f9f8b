import { createHmac } from 'node:crypto';
import type { TaskShare } from './driver.js';

/** Seeds that a simulator's generator takes, both ends included. */
export interface SeedRange {
  readonly min: number;
  readonly max: number;
}

const ROUNDS = 4;
/** Rounds mix two halves; HMAC-SHA-256 gives more than enough bits for one. */
const HALF_BYTES_MAX = 4;

/**
 * The seed of a task, from the job's seed and the task's first history: the same for the same two, and different for
 * every two tasks of a job whose first histories differ by less than the range has seeds. A keyed permutation of the
 * first history (a Feistel network over HMAC-SHA-256, numbers outside the range walked on) and not a plain hash: of
 * 1000 hashes into 9·10⁸ seeds two would be equal in one job of 1800, and its histories would count twice.
 * @param stream - tells apart the seeds of generators that need several
 */
export function deriveTaskSeed(
  { seed, firstHistory }: Pick<TaskShare, 'seed' | 'firstHistory'>,
  { min, max }: SeedRange,
  stream = '',
): number {
  const count = max - min + 1;
  const halfBits = Math.ceil(Math.log2(count) / 2);
  const key = `${seed}/${stream}/${Math.floor(firstHistory / count)}`;
  let value = firstHistory % count;
  do value = permute(value, halfBits, key);
  while (value >= count);
  return min + value;
}

/** A permutation of the numbers below 2^(2·halfBits). */
function permute(value: number, halfBits: number, key: string): number {
  const half = 2 ** halfBits;
  let [left, right] = [Math.floor(value / half), value % half];
  for (let round = 0; round < ROUNDS; round += 1) {
    const mixed = createHmac('sha256', key).update(`${round}/${right}`).digest().readUIntBE(0, HALF_BYTES_MAX);
    [left, right] = [right, (left + mixed) % half];
  }
  return left * half + right;
}
