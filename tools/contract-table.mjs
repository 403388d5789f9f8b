// `pnpm test:contract:http`: every endpoint and every status that the OpenAPI document promises for it, each with the
// test that provokes it. The tests say themselves what they provoke: the test clients of the gateway and of the
// end-to-end suite write down every answer they get. Exit code 1 when a test fails or a status has none.
//   --only gateway   without the end-to-end suite
//   --recorded       no tests: what the last run wrote down
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, recorded: { type: 'boolean', default: false } },
});
const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, '.tally', 'exchanges');

/** Runs the tests of the HTTP interface; false when one fails. */
function runTests() {
  fs.rmSync(folder, { recursive: true, force: true });
  const jest = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const folders = ['services/gateway/test', ...(options.only === 'gateway' ? [] : ['e2e'])];
  const { status } = spawnSync(process.execPath, [...jest, ...folders], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, TALLY_EXCHANGE_FOLDER: folder },
  });
  return status === 0;
}

function readRecords() {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .flatMap((name) => fs.readFileSync(path.join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line));
}

/** What has to be provoked: `{operation, status, isProvokedBy}`. */
async function promises() {
  const load = (file) => import(path.join(root, 'services/gateway/dist/src/http', file));
  const { ROUTES } = await load('routes/index.js');
  const { statusesOf } = await load('openapi/common-errors.js');
  const paths = [...new Set(ROUTES.map((route) => route.path))];
  const isOf = (route) => (record) =>
    record.path === route.path && (record.method === 'HEAD' ? 'GET' : record.method) === route.method;
  return [
    ...ROUTES.flatMap((route) =>
      statusesOf(route).map((status) => ({ operation: `${route.method} ${route.path}`, status, isOf: isOf(route) })),
    ),
    ...paths.map((known) => ({
      operation: `any other ${known}`,
      status: 405,
      isOf: (record) => record.path === known,
    })),
    { operation: 'any unknown path', status: 404, isOf: (record) => !paths.includes(record.path) },
  ];
}

/** Tests of the real suite say more than those with stand-ins. */
function chooseTest(records) {
  const found = records.find(({ file }) => file.startsWith('e2e/')) ?? records[0];
  return found === undefined ? undefined : `${path.basename(found.file)}: ${found.test}`;
}

const isPassed = options.recorded || runTests();
const records = readRecords();
const rows = (await promises()).map(({ operation, status, isOf }) => ({
  operation,
  status,
  test: chooseTest(records.filter((record) => record.status === status && isOf(record))),
}));
const width = Math.max(...rows.map(({ operation }) => operation.length));
let last = '';
for (const { operation, status, test } of rows) {
  const shown = operation === last ? '' : operation;
  last = operation;
  const limit = Math.max(40, (process.stdout.columns ?? 200) - width - 8);
  console.log(`${shown.padEnd(width)}  ${status}  ${(test ?? 'NO TEST PROVOKES THIS').slice(0, limit)}`);
}
const holes = rows.filter(({ test }) => test === undefined);
console.log(
  `\n${rows.length} statuses of ${new Set(rows.map(({ operation }) => operation)).size} endpoints, ${holes.length} without a test`,
);
if (!isPassed) console.log('some tests failed');
process.exit(holes.length === 0 && isPassed ? 0 : 1);
