import { describe, expect, it } from '@jest/globals';
import { type AnswerRunOptions, runWithAnswers } from './answer-run.js';
import { writeAnswers } from './reliability-report.js';

/** Set by `pnpm test:faults --answers`, as JSON. */
const asked = process.env.TALLY_ANSWERS;
const small: AnswerRunOptions = { jobs: 4, answers: 24, seed: 1, atOnce: 2 };
const options: AnswerRunOptions = asked === undefined ? small : { ...small, ...(JSON.parse(asked) as object) };
const HOUR_MS = 3_600_000;

describe('whatever cluster, identity provider, object store and broker answer while jobs run', () => {
  it(
    'each job ends well, none is silent for a minute, everybody can sign in, and nothing is left',
    async () => {
      const report = await runWithAnswers(options);
      if (asked !== undefined) writeAnswers(report);
      process.stdout.write(`${report.jobs.length} jobs, ${report.answers.length} answers\n`);
      expect({ seed: options.seed, violations: report.violations }).toEqual({ seed: options.seed, violations: [] });
      expect(report.jobs.length).toBeGreaterThanOrEqual(options.jobs);
      expect(report.answers.length).toBeGreaterThanOrEqual(options.answers);
    },
    10 * HOUR_MS,
  );
});
