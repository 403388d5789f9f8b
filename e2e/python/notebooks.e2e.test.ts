import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '@tally/testkit';
import { startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';
import { environmentOf, PACKAGE, python, runPython } from './python-run.js';

const NOTEBOOKS = path.join(workspaceRoot(), 'docs/notebooks');
const TIME_LIMIT_MS = 1_800_000;
const withPython = python === undefined ? describe.skip : describe;

const names = readdirSync(path.join(NOTEBOOKS, 'src'))
  .map((file) => path.parse(file).name)
  .sort();

/** What stands in the cells of a notebook, without what came out. */
function cellsOf(folder: string, name: string): unknown[] {
  const notebook = JSON.parse(readFileSync(path.join(folder, `${name}.ipynb`), 'utf8')) as {
    readonly cells: readonly Record<string, unknown>[];
  };
  return notebook.cells.map(({ cell_type, source }) => ({ name, cell_type, source }));
}

withPython('the notebooks', () => {
  let suite: TestSuite;
  beforeAll(async () => {
    suite = await startTestSuite();
  });
  afterAll(() => suite?.stop());

  it('are those that have a source', () => {
    const executed = readdirSync(NOTEBOOKS).filter((file) => file.endsWith('.ipynb'));
    expect(executed.sort()).toEqual(names.map((name) => `${name}.ipynb`));
  });

  it(
    'are executed from their sources, whose cells they have; with TALLY_WRITE_NOTEBOOKS=1 they are written',
    async () => {
      const isWriting = process.env.TALLY_WRITE_NOTEBOOKS === '1';
      const executed = path.join(suite.directory, 'notebooks');
      mkdirSync(executed);
      const env = { ...(await environmentOf(suite)), MPLBACKEND: 'module://matplotlib_inline.backend_inline' };
      const program = path.join(PACKAGE, 'scripts/notebooks.py');
      const target = isWriting ? NOTEBOOKS : executed;
      const output = await runPython([program, target, ...names], env);
      process.stdout.write(output);
      for (const name of names) {
        expect(output).toContain(`${name}: `);
        expect(cellsOf(NOTEBOOKS, name)).toEqual(cellsOf(target, name));
      }
    },
    TIME_LIMIT_MS,
  );
});
