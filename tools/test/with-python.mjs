// Runs tests that need a program from PyPI, after its installation; fails where it cannot be installed. `npm test` skips such tests instead.
// node tools/test/with-python.mjs TOOL PATH…   TOOL as in packages/testkit/src/infrastructure/python-tools.ts, PATH as for jest
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { providePythonTool } from '../../packages/testkit/dist/src/index.js';

const root = path.join(import.meta.dirname, '../..');
const [tool, ...paths] = process.argv.slice(2);
if (!(await providePythonTool(tool, console.log))) process.exit(1);
const jest = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
const { status } = spawnSync(process.execPath, [...jest, ...paths], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
