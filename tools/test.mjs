// `npm test` after the set-up: everything that has to hold before a change goes in, in order, up to the first stage that
// fails. The last line is always "N passed, N failed"; a stage that fails without tests counts as one failure.
//   --only static|unit|contract|e2e   only these stages; may be given several times
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const GROUPS = ['static', 'unit', 'contract', 'e2e'];

const root = path.join(import.meta.dirname, '..');
const reportDir = path.join(root, '.tally', 'test');
const bin = (name) => path.join(root, 'node_modules', '.bin', name);
const node = (...args) => [process.execPath, ...args];

const STATIC_STAGES = [
  ['format', [bin('biome'), 'check', '--linter-enabled=false', '.']],
  ['lint', [bin('oxlint'), '--type-aware', '--deny-warnings']],
  ['style', node(path.join(root, 'tools/style-check.mjs'), '--commits')],
  ['contracts', [bin('buf'), 'lint']],
  ['types', [bin('tsc'), '-b']],
  ['documents', node(path.join(root, 'tools/docs.mjs'), '--check')],
  ['versions and changelogs', node(path.join(root, 'tools/release.mjs'), '--check')],
  ['schema', node(path.join(root, 'tools/schema-snapshot.mjs'), '--check')],
];

const COUNTED_STAGES = [
  ['contracts against the previous release', 'tools/check-contracts.mjs'],
  ['kubernetes', 'tools/k8s-check.mjs'],
];

/** Needs RabbitMQ, and the machine for itself. */
const BUDGETS_STAGE = ['budgets', 'bench/main.mjs', '--quick'];

/** Contracts may only grow: compared with the branch main, where there is one. */
const hasMain = spawnSync('git', ['rev-parse', '--verify', '--quiet', 'main'], { cwd: root }).status === 0;
if (hasMain) STATIC_STAGES.push(['contracts against main', [bin('buf'), 'breaking', '--against', '.git#branch=main']]);

const totals = { passed: 0, failed: 0 };

function announce(name) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 70 - name.length))}`);
}

function run([program, ...args]) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (error) console.error(error.message);
  return status === 0;
}

function runStaticStage([name, command]) {
  announce(name);
  const start = performance.now();
  if (!run(command)) {
    totals.failed += 1;
    console.error(`${name} failed`);
    return false;
  }
  console.log(`${name}: ok, ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return true;
}

/** Runs a tool that counts its checks; each of them counts as a test. */
function runCountedStage([name, tool, ...args]) {
  announce(name);
  const report = path.join(reportDir, `${name.replace(/\W+/g, '-')}.json`);
  fs.rmSync(report, { force: true });
  const isOk = run(node(tool, ...args, '--report', report));
  const { passed, failed } = fs.existsSync(report)
    ? JSON.parse(fs.readFileSync(report, 'utf8'))
    : { passed: 0, failed: 1 };
  totals.passed += passed;
  totals.failed += failed;
  return isOk;
}

/** Adds a jest project's results; a test file that could not be run at all counts as one failed test. */
function addReport(file) {
  const report = JSON.parse(fs.readFileSync(file, 'utf8'));
  totals.passed += report.numPassedTests;
  totals.failed += report.numFailedTests + report.numRuntimeErrorTestSuites;
}

function runJestProject(project) {
  announce(project);
  const report = path.join(reportDir, `${project}.json`);
  fs.rmSync(report, { force: true });
  const jest = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const isOk = run(node(...jest, '--selectProjects', project, '--json', `--outputFile=${report}`));
  const failedBefore = totals.failed;
  if (fs.existsSync(report)) addReport(report);
  if (!isOk && totals.failed === failedBefore) totals.failed += 1; // jest itself broke
  return isOk;
}

/** The tests run against a real RabbitMQ and a real Slurm: install them where that is allowed, before a test has to wait. */
async function provideServers() {
  const { provideCluster, provideRabbitmq } = await import('../packages/testkit/dist/src/index.js');
  await provideRabbitmq(console.log);
  await provideCluster(console.log);
}

/** Programs of others that unit tests compare with: installed outside the checkout where they can be, once. */
async function providePrograms() {
  const { providePythonTool } = await import('../packages/testkit/dist/src/index.js');
  for (const name of ['pymchelper', 'geant4']) await providePythonTool(name, console.log);
}

async function runStages(groups) {
  fs.mkdirSync(reportDir, { recursive: true });
  if (groups.has('static') && !(STATIC_STAGES.every(runStaticStage) && COUNTED_STAGES.every(runCountedStage))) return;
  if (groups.has('unit')) {
    await providePrograms();
    if (!runJestProject('unit')) return;
  }
  if (groups.has('contract') || groups.has('e2e')) await provideServers();
  if (groups.has('contract') && !runJestProject('contract')) return;
  if (groups.has('e2e') && runJestProject('e2e')) runCountedStage(BUDGETS_STAGE);
}

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true, default: GROUPS } } });
const unknown = values.only.filter((group) => !GROUPS.includes(group));
if (unknown.length > 0) {
  console.error(`--only takes ${GROUPS.join(', ')}; not ${unknown.join(', ')}`);
  process.exit(2);
}
try {
  await runStages(new Set(values.only));
} catch (err) {
  totals.failed += 1;
  console.error(err);
}
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed === 0 ? 0 : 1);
