import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { commandOf, previousRoots } from '../fixtures/previous-release.js';
import { startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';
import { environmentOf, PACKAGE, python, runPython } from './python-run.js';

/*
 * The client of one release and the service of the other: the tests of the previous release, which know nothing of what is new, run with
 * either. `pnpm check:previous --only client` provides that release.
 */

const previousClient = process.env.TEST_PREVIOUS_CLIENT;
const TIME_LIMIT_MS = 900_000;
const withBoth =
  python === undefined || previousRoots === undefined || previousClient === undefined ? describe.skip : describe;

let suite: TestSuite | undefined;
afterEach(() => suite?.stop());

/** Runs the previous release's tests of a service. @param client - folder of the package that is tested */
async function runTests(service: TestSuite, client: string): Promise<string> {
  const tests = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-rs', 'tests/service'];
  const env = { ...(await environmentOf(service)), PYTHONPATH: path.join(client, 'src') };
  return runPython(tests, env, previousClient);
}

withBoth('the Python client', () => {
  it(
    'of this release works with the service of the previous one',
    async () => {
      suite = await startTestSuite({ command: (service) => commandOf(previousRoots ?? '', service) });
      const output = await runTests(suite, PACKAGE);
      expect(output).toMatch(/\d+ passed/);
      expect(output).not.toContain('skipped');
    },
    TIME_LIMIT_MS,
  );

  it(
    'of the previous release works with the service of this one',
    async () => {
      suite = await startTestSuite();
      const output = await runTests(suite, previousClient ?? '');
      expect(output).toMatch(/\d+ passed/);
      expect(output).not.toContain('skipped');
    },
    TIME_LIMIT_MS,
  );
});
