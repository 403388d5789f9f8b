import { describe, expect, it } from '@jest/globals';
import { describeBeside, writeBeside } from '../reliability-report.js';
import { type BesideOptions, runBeside } from './beside-run.js';

/** Set by `pnpm test:faults --beside`, as JSON. */
const asked = process.env.TALLY_BESIDE;
const HOUR_MS = 3_600_000;

(asked === undefined ? describe.skip : describe)(
  'beside servers that answer anything and users who ask awkwardly',
  () => {
    it(
      'honest users get no 5xx, and GET /auth/status within three times the quiet p99',
      async () => {
        const options = JSON.parse(asked ?? '') as BesideOptions;
        const report = await runBeside(options);
        process.stdout.write(describeBeside(report));
        writeBeside(report);
        expect({ seed: options.seed, violations: report.violations }).toEqual({ seed: options.seed, violations: [] });
        expect(report.awkward.length).toBeGreaterThan(options.seconds / 20);
        expect(report.answers.length).toBeGreaterThan(options.seconds / 20);
      },
      10 * HOUR_MS,
    );
  },
);
