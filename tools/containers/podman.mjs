// Podman with runc, as a node of a cluster runs containers. Needs root, and nothing of a registry.
import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CONTAINER_PACKAGES, missingContainerPrograms, serviceNode } from '../../packages/testkit/dist/src/index.js';
import { argumentOf } from '../image/last-stage.mjs';

/** Below the hard limits of machines that cannot raise them. */
const LIMITS = ['--ulimit', 'nofile=16384:16384', '--ulimit', 'nproc=4096:4096'];
export const BASE = 'localhost/tally-base';

/** Runs podman; `{status, stdout, stderr}`. Never while the event loop stands still: it forwards what containers send. */
export function tryPodman(args, options = {}) {
  return new Promise((resolve) => {
    execFile('podman', args, { maxBuffer: 64 * 1024 * 1024, ...options }, (err, stdout, stderr) =>
      resolve({ status: err === null ? 0 : (err.code ?? 1), stdout, stderr: stderr || (err?.message ?? '') }),
    );
  });
}

/** Runs podman and gives what it prints. @throws Error with what it says */
export async function podman(args, options) {
  const { status, stdout, stderr } = await tryPodman(args, options);
  if (status !== 0) throw new Error(`podman ${args.slice(0, 2).join(' ')}: ${stderr.trim()}`);
  return stdout.trim();
}

/** Arguments of every container. */
export const runArguments = (...args) => ['run', '--runtime', 'runc', '--log-driver', 'k8s-file', ...LIMITS, ...args];

/** Node from npm and the libraries of this machine that it needs: what images stand on, instead of one from a registry. */
function copyBase(to) {
  const node = serviceNode();
  const { stdout } = spawnSync('ldd', [node], { encoding: 'utf8' });
  const libraries = [...stdout.matchAll(/(\/\S+)/g)].map(([, file]) => [file, file]);
  for (const [from, file] of [[node, '/usr/local/bin/node'], ...libraries]) {
    fs.mkdirSync(path.join(to, path.dirname(file)), { recursive: true });
    fs.copyFileSync(fs.realpathSync(from), path.join(to, file));
    fs.chmodSync(path.join(to, file), 0o755);
  }
  for (const dir of ['etc', 'tmp']) fs.mkdirSync(path.join(to, dir));
  fs.writeFileSync(path.join(to, 'etc/nsswitch.conf'), 'hosts: files dns\n');
}

async function buildImage(folder, tag, lines) {
  const file = `${folder}.containerfile`;
  fs.writeFileSync(file, lines.join('\n'));
  try {
    await podman(['build', '--quiet', '--runtime', 'runc', '--file', file, '--tag', tag, folder]);
  } finally {
    fs.rmSync(file);
  }
}

/** Makes the base of {@link buildServiceImage}; removes nothing that others may use. */
export async function buildBase() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-base-'));
  try {
    copyBase(dir);
    await buildImage(dir, BASE, [
      'FROM scratch',
      'COPY . /',
      'ENV PATH=/usr/local/bin NODE_ENV=production',
      'ENTRYPOINT ["node"]',
    ]);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

/** The image of a service from the root that tools/image-rootfs.mjs assembled; the last lines are the Dockerfile's. */
export async function buildServiceImage(root, tag) {
  const last = ['ENV', 'WORKDIR', 'USER', 'CMD'].map((instruction) => `${instruction} ${argumentOf(instruction)}`);
  await buildImage(root, tag, [`FROM ${BASE}`, 'COPY . /', ...last]);
}

/** Why containers cannot run here; undefined: they can. Leaves the base behind. */
export async function whyNoContainers() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return 'they need root on Linux';
  const [missing] = missingContainerPrograms();
  if (missing !== undefined) return `there is no ${missing} (apt-get install ${CONTAINER_PACKAGES.join(' ')})`;
  const network = `tally-probe-${process.pid}`;
  try {
    await buildBase();
    await podman(['network', 'create', '--internal', network]);
    const restricted = ['--read-only', '--memory', '128m', '--pids-limit', '64', '--user', '10001:10001'];
    await podman(runArguments('--rm', '--network', network, ...restricted, BASE, '-e', ''));
    return undefined;
  } catch (err) {
    return `a container does not run here: ${err.message.slice(-300)}`;
  } finally {
    await tryPodman(['network', 'rm', '--force', network]);
  }
}
