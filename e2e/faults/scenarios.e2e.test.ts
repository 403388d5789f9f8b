import { describe, expect, it } from '@jest/globals';
import { writeScenarios } from './reliability-report.js';
import { runScenarios, SCENARIOS } from './scenarios.js';

/** Set by `pnpm test:faults --scenarios`: names, or all. */
const asked = process.env.TALLY_SCENARIOS;
const HOUR_MS = 3_600_000;

(asked === undefined ? describe.skip : describe)('the scenarios of docs/reliability.md', () => {
  it(
    'end with the values of an undisturbed run',
    async () => {
      const isAsked = (name: string) => asked === 'all' || asked?.split(',').includes(name) === true;
      const reports = await runScenarios(SCENARIOS.filter(({ name }) => isAsked(name)));
      for (const { scenario, ...times } of reports)
        process.stdout.write(`${JSON.stringify({ ...scenario, ...times })}\n`);
      if (asked === 'all') writeScenarios(reports);
      expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
    },
    HOUR_MS,
  );
});
