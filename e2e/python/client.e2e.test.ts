import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';
import { environmentOf, PACKAGE, python, runPython } from './python-run.js';

const TIME_LIMIT_MS = 900_000;
const PYTEST = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-rs'];
/** As pyproject.toml promises. One of them runs here; for the others it is checked what the language and its library have. */
const VERSIONS = ['3.10', '3.11', '3.12', '3.13'];
const withPython = python === undefined ? describe.skip : describe;

withPython('the Python package', () => {
  let suite: TestSuite;
  let env: Record<string, string>;
  beforeAll(async () => {
    suite = await startTestSuite();
    env = await environmentOf(suite);
  });
  afterAll(() => suite?.stop());

  it(
    'is typed for each version of Python that it promises, and its own tests pass',
    async () => {
      const cache = path.join(suite.directory, 'mypy');
      for (const version of VERSIONS) {
        const checked = await runPython(['-m', 'mypy', '--cache-dir', cache, '--python-version', version]);
        expect([version, checked]).toEqual([version, expect.stringContaining('no issues found')]);
      }
      expect(await runPython([...PYTEST, '--ignore', 'tests/service'])).toMatch(/\d+ passed/);
    },
    TIME_LIMIT_MS,
  );

  it(
    'does with a service what users do, and makes no job twice over connections that break off',
    async () => {
      const { TALLY_RANDOM_SEED: seed = '' } = process.env;
      const seeded: Record<string, string> = /^\d+$/.test(seed) ? { TALLY_RANDOM_SEED: seed } : {};
      const output = await runPython([...PYTEST, 'tests/service'], { ...env, ...seeded });
      expect(output).toMatch(/\d+ passed/);
      expect(output).not.toContain('skipped');
    },
    TIME_LIMIT_MS,
  );

  it(
    'draws the first curve of its README from the wheel, in 8 lines',
    async () => {
      const built = path.join(suite.directory, 'built');
      await runPython(['-m', 'build', '--no-isolation', '--outdir', built]);
      const files = readdirSync(built).sort();
      expect(files).toEqual([expect.stringMatching(/-py3-none-any\.whl$/), expect.stringMatching(/\.tar\.gz$/)]);
      const installed = path.join(suite.directory, 'installed');
      const pip = ['-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', '--no-index', '--no-deps'];
      await runPython([...pip, '--target', installed, path.join(built, files[0] ?? '')]);
      const readme = readFileSync(path.join(PACKAGE, 'README.md'), 'utf8');
      const [, code = ''] = /```python\n([\s\S]*?)```/.exec(readme) ?? [];
      expect(code.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(8);
      const elsewhere = path.join(suite.directory, 'elsewhere');
      mkdirSync(elsewhere);
      const output = await runPython(['-c', code], { ...env, PYTHONPATH: installed }, elsewhere);
      expect(output).toMatch(/R80 15\.\d+ ± 0\.\d+ cm/);
    },
    TIME_LIMIT_MS,
  );
});
