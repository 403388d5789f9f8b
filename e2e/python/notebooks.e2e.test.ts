import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '@tally/testkit';
import { startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';
import { environmentOf, PACKAGE, python, runPython } from './python-run.js';

const NOTEBOOKS = path.join(workspaceRoot(), 'docs/notebooks');
const TIME_LIMIT_MS = 900_000;
const SECONDS_MAX = 360;
const withPython = python === undefined ? describe.skip : describe;

withPython('the notebooks', () => {
  let suite: TestSuite;
  beforeAll(async () => {
    suite = await startTestSuite();
  });
  afterAll(() => suite?.stop());

  it(
    'are executed from their sources in less than 6 minutes; with TALLY_WRITE_NOTEBOOKS=1 they are written',
    async () => {
      const executed = path.join(suite.directory, 'notebooks');
      mkdirSync(executed);
      const target = process.env.TALLY_WRITE_NOTEBOOKS === '1' ? NOTEBOOKS : executed;
      const backend = 'module://matplotlib_inline.backend_inline';
      const env = { ...(await environmentOf(suite)), MPLBACKEND: backend };
      const output = await runPython([path.join(PACKAGE, 'scripts/notebooks.py'), target], env);
      process.stdout.write(output);
      const names = readdirSync(path.join(NOTEBOOKS, 'src')).map((file) => path.parse(file).name);
      for (const name of names) expect(output).toContain(`${name}: `);
      expect(
        readdirSync(NOTEBOOKS)
          .filter((file) => file.endsWith('.ipynb'))
          .sort(),
      ).toEqual(names.map((name) => `${name}.ipynb`).sort());
      expect(Number(/all: ([\d.]+) s/.exec(output)?.[1])).toBeLessThan(SECONDS_MAX);
    },
    TIME_LIMIT_MS,
  );
});
