// `pnpm check:previous [--against <commit>]`: the previous release and this one side by side, in three parts.
//   contracts  The contract tests that are as they were run with the contracts of that release: every message is sent as it
//              would have sent it.
//   rolling    Builds the previous release in a folder of its own, assembles the roots of its images (kept in .tally/previous
//              until another release is the previous one) and runs e2e/rolling-upgrade with them: it begins with the previous
//              release and replaces one copy after another under load. By hand: TEST_PREVIOUS_ROOTS=<the folder that is
//              printed> pnpm jest e2e/rolling-upgrade
//   client     The tests of that release's Python client, and a day with the command tally, with the client of this release on the
//              service of that one, and the other way round.
//   --service jobs                    a service that is released alone: the previous release is its own, if that is later
//   --only contracts|rolling|client   one of them
//   --table                           when all have passed, docs/compatibility.md is made: which versions of services, clients and
//                                     the chart go together
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { envName } from '../packages/service-kit/dist/src/index.js';
import { CALLERS, providePythonTool, SERVICES } from '../packages/testkit/dist/src/index.js';
import { readServices } from './k8s/service-facts.mjs';
import { readChart } from './previous/chart-variables.mjs';
import { compatibilityDocument } from './previous/compatibility.mjs';
import { extractCommit, findPrevious, unchangedFiles } from './previous/find-previous.mjs';
import { loadContracts } from './previous/load-contracts.mjs';
import { bundleCli } from './release/cli-package.mjs';

const root = path.join(import.meta.dirname, '..');
const cache = path.join(root, '.tally/previous');
const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(0)} s`;

function run(program, args, options) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

/** The command tally of a release, beside the roots of its services. */
const CLI = 'cli/tally.mjs';

/** Folder with a root for each service of a commit, and its command tally. */
async function rootsOf(commit) {
  const roots = path.join(cache, commit);
  if (fs.existsSync(path.join(roots, CLI))) return roots;
  fs.rmSync(cache, { recursive: true, force: true });
  const checkout = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-previous-'));
  const start = performance.now();
  try {
    extractCommit(root, commit, checkout);
    run('npm', ['run', '--silent', 'setup'], { cwd: checkout });
    const half = `${roots}.half`;
    for (const service of SERVICES) {
      const assemble = [path.join(checkout, 'tools/image-rootfs.mjs'), service, '--out', path.join(half, service)];
      run(process.execPath, assemble, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
    }
    await bundleCli(checkout, path.join(half, CLI));
    fs.renameSync(half, roots);
  } finally {
    fs.rmSync(checkout, { recursive: true, force: true });
  }
  console.log(`built and assembled in ${seconds(start)}`);
  return roots;
}

function jest(args, variables) {
  const program = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const env = { ...process.env, ...variables };
  return spawnSync(process.execPath, [...program, ...args], { cwd: root, env, stdio: 'inherit' }).status === 0;
}

/** Contract tests nobody has changed since say nothing of what is new: they must hold for callers of that release. */
async function checkContracts(commit) {
  const workDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-contracts-'));
  try {
    extractCommit(root, commit, path.join(workDir, 'checkout'), 'proto');
    const { file } = await loadContracts(path.join(workDir, 'checkout/proto'), path.join(workDir, 'code'));
    const tests = unchangedFiles(root, commit, 'services/*/test/contract/*.contract.test.ts');
    console.log(`${tests.length} files of contract tests are as they were`);
    if (tests.length === 0) return true;
    return jest(['--selectProjects', 'contract', '--runTestsByPath', ...tests.map((test) => path.join(root, test))], {
      TEST_PREVIOUS_CONTRACTS: file,
    });
  } finally {
    fs.rmSync(workDir, { recursive: true, force: true });
  }
}

async function checkRolling(commit) {
  const roots = await rootsOf(commit);
  console.log(roots);
  return jest(['e2e/rolling-upgrade'], { TEST_PREVIOUS_ROOTS: roots });
}

async function checkClient(commit) {
  // without it the tests are skipped, and nothing is shown
  if (!(await providePythonTool('client', console.log))) return false;
  const roots = await rootsOf(commit);
  const checkout = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-client-'));
  try {
    extractCommit(root, commit, checkout, 'clients/python', 'examples');
    const cli = path.join(checkout, 'tally.mjs');
    await bundleCli(root, cli);
    return jest(['e2e/python/releases', 'e2e/cli/releases'], {
      TEST_PREVIOUS_ROOTS: roots,
      TEST_PREVIOUS_CLIENT: path.join(checkout, 'clients/python'),
      TEST_PREVIOUS_CLI: path.join(roots, CLI),
      TEST_CLI: cli,
    });
  } finally {
    fs.rmSync(checkout, { recursive: true, force: true });
  }
}

/** Name of a commit's version for people: its release, or the commit as long as there is none. */
function versionOf(commit) {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--match=v*', '--always', commit], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`git does not describe ${commit}`);
  return stdout.trim().replace(/^v/, '');
}

/** Operations of a gateway that is built, such as `GET /jobs`. */
async function operationsOf(gateway) {
  const { ROUTES } = await import(pathToFileURL(path.join(gateway, 'dist/src/http/routes/index.js')).href);
  return ROUTES.map(({ method, path: place }) => `${method} ${place}`);
}

/** By service: the settings that it knows, and those that it must have. */
const imagesOf = (chart, settingsOf) =>
  new Map([...chart].map(([service, { required }]) => [service, { settings: settingsOf(service), required }]));

async function readPrevious(commit, workDir) {
  const checkout = path.join(workDir, 'checkout');
  extractCommit(root, commit, checkout, 'proto', 'k8s');
  const roots = await rootsOf(commit);
  const chart = readChart(checkout);
  const settingsOf = (service) =>
    JSON.parse(fs.readFileSync(path.join(roots, service, 'app/image.json'), 'utf8')).settings;
  return {
    version: versionOf(commit),
    contracts: await loadContracts(path.join(checkout, 'proto'), path.join(workDir, 'previous')),
    operations: await operationsOf(path.join(roots, 'gateway/app')),
    chart,
    images: imagesOf(chart, settingsOf),
  };
}

async function readNow(workDir) {
  const services = await readServices();
  const chart = readChart(root);
  const settingsOf = (service) => {
    const { prefix, schema } = services[service].table;
    return Object.keys(schema).map((property) => envName(prefix, property));
  };
  return {
    version: versionOf('HEAD'),
    contracts: await loadContracts(path.join(root, 'proto'), path.join(workDir, 'now')),
    operations: await operationsOf(path.join(root, 'services/gateway')),
    chart,
    images: imagesOf(chart, settingsOf),
  };
}

async function writeTable(commit) {
  const workDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-compatibility-'));
  try {
    const previous = await readPrevious(commit, workDir);
    const text = compatibilityDocument({ callers: CALLERS, previous, now: await readNow(workDir) });
    fs.writeFileSync(path.join(root, 'docs/compatibility.md'), text);
  } finally {
    fs.rmSync(workDir, { recursive: true, force: true });
  }
}

const PARTS = { contracts: checkContracts, rolling: checkRolling, client: checkClient };
const { values: options } = parseArgs({
  options: {
    against: { type: 'string' },
    service: { type: 'string' },
    only: { type: 'string' },
    table: { type: 'boolean', default: false },
  },
});
if (options.table && options.only !== undefined) {
  console.error('--table says that all parts have passed: not with --only');
  process.exit(2);
}
const parts = options.only === undefined ? Object.keys(PARTS) : [options.only];
if (parts.some((part) => PARTS[part] === undefined)) {
  console.error(`--only takes ${Object.keys(PARTS).join(' or ')}`);
  process.exit(2);
}
const { commit, text } = findPrevious(root, options);
if (commit === undefined) {
  console.log(`nothing to compare with: ${text}`);
  process.exit(0);
}
console.log(`previous release: ${text}`);
const failed = [];
for (const part of parts) if (!(await PARTS[part](commit))) failed.push(part);
if (options.table && failed.length === 0) await writeTable(commit);
console.log(failed.length === 0 ? `${parts.join(' and ')}: ok` : `${failed.join(' and ')} failed`);
process.exit(failed.length === 0 ? 0 : 1);
