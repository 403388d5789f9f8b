// The image of a service from docker/Dockerfile itself. What it stands on elsewhere, node:24-slim of a registry, is made here of
// the same parts: Debian's files, Node from npm, and the npm of this machine.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { serviceNode } from '../../packages/testkit/dist/src/index.js';
import { root } from '../k8s/service-facts.mjs';
import { podman, tryPodman } from './podman.mjs';

const BASE = 'localhost/tally-debian-node';
/** What the steps of the Dockerfile call, and what Node's own programs need. */
const PACKAGES = [
  'base-files',
  'bash',
  'ca-certificates',
  'coreutils',
  'dash',
  'findutils',
  'grep',
  'libstdc++6',
  'sed',
  'tar',
];
/** Made when packages are installed, and in none of them. */
const MADE = [
  '/etc/alternatives',
  '/etc/group',
  '/etc/ld.so.cache',
  '/etc/passwd',
  '/etc/ssl/certs',
  '/var/lib/dpkg/status',
];

const output = (program, args, options) =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, ...options });

/** Packages with all that they depend on, as far as it is installed. */
function closure(names) {
  const query = output('dpkg-query', ['--show', '--showformat', '${Package}\t${Depends}, ${Pre-Depends}\n']);
  const needed = new Map(
    query
      .trim()
      .split('\n')
      .map((line) => line.split('\t')),
  );
  const found = new Set();
  const add = (name) => {
    if (found.has(name) || !needed.has(name)) return;
    found.add(name);
    for (const alternative of needed.get(name).split(/[,|]/)) add(alternative.trim().split(/[ :]/)[0]);
  };
  for (const name of names) add(name);
  return [...found];
}

/** Copies files and folders, the latter without what is in them. */
function copy(to, files, ...args) {
  const list = files.filter((file) => fs.existsSync(file)).join('\n');
  const tar = ['--create', '--file', '-', '--directory', '/', ...args, '--files-from', '-'];
  const { stdout } = spawnSync('tar', tar, { input: list, maxBuffer: 1024 * 1024 * 1024 });
  execFileSync('tar', ['--extract', '--file', '-', '--directory', to, '--keep-directory-symlink'], { input: stdout });
}

function copyNode(to) {
  const npm = path.dirname(path.dirname(fs.realpathSync(output('sh', ['-c', 'command -v npm']).trim())));
  for (const folder of ['bin', 'lib/node_modules', 'etc'])
    fs.mkdirSync(path.join(to, 'usr/local', folder), { recursive: true });
  fs.copyFileSync(serviceNode(), path.join(to, 'usr/local/bin/node'));
  fs.chmodSync(path.join(to, 'usr/local/bin/node'), 0o755);
  fs.cpSync(npm, path.join(to, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
  for (const name of ['npm', 'npx'])
    fs.symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(to, 'usr/local/bin', name));
}

async function buildDebianNode() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-debian-'));
  try {
    for (const folder of ['bin', 'sbin', 'lib', 'lib64']) {
      fs.mkdirSync(path.join(dir, 'usr', folder), { recursive: true });
      fs.symlinkSync(`usr/${folder}`, path.join(dir, folder));
    }
    for (const folder of ['root', 'tmp', 'run']) fs.mkdirSync(path.join(dir, folder));
    const files = output('dpkg', ['--listfiles', ...closure(PACKAGES)]).split('\n');
    copy(
      dir,
      [...new Set(files)].filter((file) => file.startsWith('/')),
      '--no-recursion',
    );
    copy(dir, MADE);
    copyNode(dir);
    const file = `${dir}.containerfile`;
    fs.writeFileSync(file, 'FROM scratch\nCOPY . /\nENV PATH=/usr/local/bin:/usr/bin:/bin\n');
    await podman(['build', '--quiet', '--runtime', 'runc', '--file', file, '--tag', BASE, dir]);
    fs.rmSync(file);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

/** How npm finds its registry on this machine: read while the image is built, and no part of it. */
function npmConfigs() {
  const places = { userconfig: '/root/.npmrc', globalconfig: '/usr/local/etc/npmrc' };
  return Object.entries(places)
    .map(([key, inside]) => [
      output('npm', ['config', 'get', key], { stdio: ['ignore', 'pipe', 'ignore'] }).trim(),
      inside,
    ])
    .filter(([file]) => fs.existsSync(file))
    .flatMap(([file, inside]) => ['--volume', `${file}:${inside}:ro`]);
}

/** Builds docker/Dockerfile as it stands for a service. Needs npm's registry. */
export async function buildFromDockerfile(service, tag) {
  await buildDebianNode();
  try {
    const args = ['--build-arg', `BASE=${BASE}`, '--build-arg', `SERVICE=${service}`, '--build-arg', 'VERSION=test'];
    const file = path.join(root, 'docker/Dockerfile');
    const ignored = ['--ignorefile', `${file}.dockerignore`];
    const network = ['--network', 'host', ...npmConfigs()];
    const how = [
      '--quiet',
      '--runtime',
      'runc',
      '--format',
      'docker',
      '--layers=false',
      '--ulimit',
      'nofile=16384:16384',
    ];
    await podman(['build', ...how, ...network, ...args, ...ignored, '--file', file, '--tag', tag, root]);
  } finally {
    await tryPodman(['rmi', '--force', BASE]);
  }
}
