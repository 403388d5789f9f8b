import { describe, expect, it } from '@jest/globals';
import { FAULT_KINDS } from './fault-kinds.js';
import { type FaultRunOptions, runWithFaults } from './fault-run.js';
import { writeReport } from './reliability-report.js';

/** Set by `pnpm test:faults`, as JSON. */
const asked = process.env.TALLY_FAULTS;
/** In `npm test`: less than four minutes. */
const small: FaultRunOptions = { jobs: 12, faults: 16, seed: 1, copies: 2, atOnce: 4, hasCluster: false };
const options: FaultRunOptions = asked === undefined ? small : { ...small, ...(JSON.parse(asked) as object) };
const HOUR_MS = 3_600_000;

describe('whatever breaks while jobs run', () => {
  it(
    'each ends once, with the values of an undisturbed run, is heard of in order, and leaves nothing behind',
    async () => {
      const report = await runWithFaults(options);
      const isWhole = options.only === undefined;
      if (asked !== undefined && isWhole) writeReport(report);
      process.stdout.write(`${report.jobs.length} jobs, ${report.faults.length} faults\n`);
      expect({ seed: options.seed, violations: report.violations }).toEqual({ seed: options.seed, violations: [] });
      expect(report.jobs.length).toBeGreaterThanOrEqual(options.jobs);
      const kinds = new Set(report.faults.map(({ kind }) => kind));
      expect(FAULT_KINDS.length).toBeGreaterThanOrEqual(20);
      if (isWhole) expect(kinds.size).toBeGreaterThanOrEqual(asked === undefined ? 10 : 20);
    },
    10 * HOUR_MS,
  );
});
