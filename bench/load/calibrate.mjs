import { scryptSync } from 'node:crypto';
import { median } from './statistics.mjs';

const ROUNDS = 5;

/**
 * Milliseconds of processor time that a fixed piece of work takes now (scrypt, N 32768, r 8, p 1). On shared machines the
 * same code may cost half as much again an hour later: processor times of two runs are compared in units of it.
 */
export function calibrate() {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    scryptSync('calibration', 'salt', 64, { N: 32_768, r: 8, p: 1, maxmem: 64 << 20 });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.round(10 * median(rounds)) / 10;
}
