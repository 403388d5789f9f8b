// `npm test` after the set-up: everything that has to hold before a change goes in, in order, up to the first stage that
// fails. The last line is always "N passed, N failed"; a stage that fails without tests counts as one failure.
//   --only static|unit|contract|e2e   only these stages; may be given several times
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const GROUPS = ['static', 'unit', 'contract', 'e2e'];

const root = path.join(import.meta.dirname, '..');
process.env.TALLY_INSTALL ??= '1'; // what tests need is installed where it can be, as CONTRIBUTING says
const reportDir = path.join(root, '.tally', 'test');
const bin = (name) => path.join(root, 'node_modules', '.bin', name);
const node = (...args) => [process.execPath, ...args];

const STATIC_STAGES = [
  ['format', [bin('biome'), 'check', '--linter-enabled=false', '.']],
  ['lint', [bin('oxlint'), '--type-aware', '--deny-warnings']],
  ['style', node(path.join(root, 'tools/style-check.mjs'), '--commits')],
  ['contracts', [bin('buf'), 'lint']],
  ['types', [bin('tsc'), '-b']],
  ['Python client', node(path.join(root, 'clients/python/scripts/generate.mjs'), '--check')],
  ['documents', node(path.join(root, 'tools/docs.mjs'), '--check')],
  ['versions and changelogs', node(path.join(root, 'tools/release.mjs'), '--check')],
  ['schema', node(path.join(root, 'tools/schema-snapshot.mjs'), '--check')],
  ['units and compose file of one server', node(path.join(root, 'tools/single/generate.mjs'), '--check')],
];

const COUNTED_STAGES = [
  ['contracts against the previous release', 'tools/check-contracts.mjs'],
  ['kubernetes', 'tools/k8s-check.mjs'],
];

/** Needs RabbitMQ, and the machine for itself. */
const BUDGETS_STAGE = ['budgets', 'bench/main.mjs', '--quick'];
/** Needs podman, and says so where it cannot run. */
const CONTAINERS_STAGE = ['containers', 'tools/containers/test-containers.mjs', '--rootfs-only'];

const totals = { passed: 0, failed: 0 };
/** Tests that have failed beside others, and passed alone. */
const passedAgain = [];
/** Runs of jest that had written their report, and did not end. */
const notEnded = [];

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

/** So many failed files may be the machine's doing; more are the change's. */
const RERUN_FILES_MAX = 3;

/**
 * A project of jest. Up to three files that failed beside others are run once more, alone: a machine that is shared stops
 * processes for seconds. What passes only then is counted as passed, and named at the end: it has a defect to be found.
 */
async function runJestProject(project) {
  announce(project);
  const report = await runJest(project, project, []);
  if (report === undefined) {
    totals.failed += 1; // jest itself broke
    return false;
  }
  const failed = report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
  const again = failed.length > RERUN_FILES_MAX ? [] : failed;
  addResults(report.testResults.filter(({ name }) => !again.includes(name)));
  if (again.length === 0) return failed.length === 0;
  announce(`${project}, once more`);
  const second = await runJest(project, `${project}-again`, ['--runInBand', '--runTestsByPath', ...again]);
  addResults(second?.testResults ?? []);
  const isOk = second?.success === true && second.testResults.length === again.length;
  if (isOk) passedAgain.push(...failedTests(report).map((test) => `${project}: ${test}`));
  else if (second === undefined) totals.failed += 1;
  return isOk;
}

/** Its report, as jest writes it; `undefined`: it could not write one. */
async function runJest(project, name, args) {
  const file = path.join(reportDir, `${name}.json`);
  fs.rmSync(file, { force: true });
  const flags = ['--import', './tools/test/open-handles.mjs', '--experimental-vm-modules'];
  const jest = [...flags, '--no-warnings=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const options = ['--selectProjects', project, '--json', `--outputFile=${file}`, ...args];
  const child = spawn(process.execPath, [...jest, ...options], { cwd: root, stdio: 'inherit' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const status = await Promise.race([ended, endAfterReport(child, file)]);
  if (!fs.existsSync(file)) return undefined;
  const report = JSON.parse(fs.readFileSync(file, 'utf8'));
  if (status === NOT_ENDED) notEnded.push(name);
  const hasFailed = report.testResults.some(({ status }) => status === 'failed');
  return status === 0 || status === NOT_ENDED || hasFailed ? report : undefined;
}

const NOT_ENDED = 'not ended';
const END_MS = 60_000;

/** Ends a jest that has written its report and goes on all the same, as one did until the limit of CI; says what holds it. */
async function endAfterReport(child, file) {
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  while (isRunning() && !fs.existsSync(file)) await sleep(1_000, undefined, { ref: false });
  await sleep(END_MS, undefined, { ref: false });
  if (!isRunning()) return child.exitCode;
  console.error(`jest has not ended in ${END_MS / 1000} s after its report; its open handles, and all processes:`);
  child.kill('SIGUSR2');
  run(['ps', '-eo', 'pid,ppid,stat,etime,args', '--forest']);
  await sleep(1_000, undefined, { ref: false });
  child.kill('SIGKILL');
  return NOT_ENDED;
}

/** A test file that could not be run at all counts as one failed test. */
function addResults(files) {
  const count = (tests, status) => tests.filter((test) => test.status === status).length;
  for (const { status, assertionResults } of files) {
    const failed = count(assertionResults, 'failed');
    totals.passed += count(assertionResults, 'passed');
    totals.failed += failed === 0 && status === 'failed' ? 1 : failed;
  }
}

function failedTests({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const tests = assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName }) => ` › ${fullName}`);
      return (tests.length === 0 ? [''] : tests).map((test) => path.relative(root, name) + test);
    });
}

/** The tests run against a real RabbitMQ and a real Slurm: install them where that is allowed, before a test has to wait. */
async function provideServers() {
  const kit = await import('../packages/testkit/dist/src/index.js');
  await kit.provideBubblewrap(console.log);
  await kit.provideRabbitmq(console.log);
  await kit.provideCluster(console.log);
  await kit.provideChromium(console.log);
  await kit.provideKeycloak(console.log);
  await kit.provideDicomValidator(console.log);
}

/** Programs that tests use or compare with: installed where that is allowed, once. */
async function providePrograms(names) {
  const { provideBubblewrap, providePythonTool } = await import('../packages/testkit/dist/src/index.js');
  await provideBubblewrap(console.log);
  for (const name of names) await providePythonTool(name, console.log);
}

async function runStages(groups) {
  fs.mkdirSync(reportDir, { recursive: true });
  if (groups.has('static') && !(STATIC_STAGES.every(runStaticStage) && COUNTED_STAGES.every(runCountedStage))) return;
  if (groups.has('unit')) {
    await providePrograms(['pymchelper', 'geant4']);
    if (!(await runJestProject('unit'))) return;
  }
  if (groups.has('contract') || groups.has('e2e')) await provideServers();
  if (groups.has('contract')) await providePrograms(['readers', 'pymedphys', 'crates']);
  if (groups.has('e2e')) await providePrograms(['geant4', 'client']);
  if (groups.has('contract') && !(await runJestProject('contract'))) return;
  if (groups.has('e2e') && (await runJestProject('e2e')) && runCountedStage(CONTAINERS_STAGE))
    runCountedStage(BUDGETS_STAGE);
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
if (passedAgain.length > 0) console.log(`\npassed only when run again, alone:\n  ${passedAgain.join('\n  ')}`);
if (notEnded.length > 0) console.log(`\njest had to be ended, see above: ${notEnded.join(', ')}`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed === 0 ? 0 : 1);
