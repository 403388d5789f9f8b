// `pnpm single:bundle [--out DIR] [--folder]`: a release of deploy/single: tally-server, units, and the images of services and servers, as
// DIR/tally-single-<version>-<processor>.tar.gz; with --folder only the folder that it is made of. Images stand on Debian's archive and on
// Node from npm: no registry of images is asked. Needs root, podman and mmdebstrap (Debian), and a built tree (npm run setup).
//   --version V   unless given, that of package.json
//   --fresh       takes Debian's packages of today, although there are older ones from a former run
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildBase, buildServiceImage, podman, tryPodman } from '../containers/podman.mjs';
import { assembleRoot } from '../image-rootfs.mjs';

const root = path.join(import.meta.dirname, '../..');
const DEBIAN = 'trixie';
const MIRROR = 'http://deb.debian.org/debian';
const DEBIAN_IMAGE = `localhost/tally-debian:${DEBIAN}`;
const SERVERS = ['postgresql', 'rabbitmq', 'caddy'];
const SERVICES = Object.keys(JSON.parse(fs.readFileSync(path.join(root, 'deploy/single/services.json'), 'utf8')));
const imageOf = (name, version) => `localhost/tally/${name}:${version}`;

/** Debian itself, as an image. */
async function provideDebian(isFresh) {
  if (!isFresh && (await tryPodman(['image', 'exists', DEBIAN_IMAGE])).status === 0) return;
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-debian-'));
  try {
    const file = path.join(dir, 'debian.tar');
    execFileSync('mmdebstrap', ['--variant=minbase', '--quiet', DEBIAN, file, MIRROR], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await podman(['import', '--quiet', file, DEBIAN_IMAGE]);
  } finally {
    fs.rmSync(dir, { recursive: true });
  }
}

async function buildServers(version, isFresh) {
  await provideDebian(isFresh);
  for (const server of SERVERS) {
    const how = ['--quiet', '--runtime', 'runc', '--network', 'host', '--ulimit', 'nofile=16384:16384'];
    const what = ['--build-arg', `BASE=${DEBIAN_IMAGE}`, '--target', server, '--tag', imageOf(server, version)];
    await podman([
      'build',
      ...how,
      ...what,
      '--file',
      path.join(root, 'docker/servers.Dockerfile'),
      path.join(root, 'docker/servers'),
    ]);
  }
}

async function buildServices(version, dir) {
  await buildBase();
  for (const service of SERVICES) {
    const out = await assembleRoot(service, { out: path.join(dir, service), version });
    await buildServiceImage(out, imageOf(service, version));
    fs.rmSync(out, { recursive: true });
  }
}

/** Makes the folder of a release below `out`; returns its path. */
export async function makeRelease(out, { version, isFresh = false }) {
  const name = `tally-single-${version}`;
  const folder = path.join(out, name);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.cpSync(path.join(root, 'deploy/single'), folder, { recursive: true });
  fs.copyFileSync(path.join(root, 'examples/proton-150mev-water.json'), path.join(folder, 'example.json'));
  fs.writeFileSync(path.join(folder, 'VERSION'), `${version}\n`);
  await buildServers(version, isFresh);
  const roots = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-roots-'));
  try {
    await buildServices(version, roots);
  } finally {
    fs.rmSync(roots, { recursive: true });
  }
  const images = [...SERVERS, ...SERVICES].map((each) => imageOf(each, version));
  await podman(['save', '--quiet', '--multi-image-archive', '--output', path.join(folder, 'images.tar'), ...images]);
  for (const image of images) await tryPodman(['rmi', image]);
  return folder;
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: path.join(root, '.tally/single') },
      version: {
        type: 'string',
        default: JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).version,
      },
      folder: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
    },
  });
  const folder = await makeRelease(values.out, { version: values.version, isFresh: values.fresh });
  if (values.folder) console.log(folder);
  else {
    const file = `${folder}-${{ x64: 'amd64', arm64: 'arm64' }[process.arch] ?? process.arch}.tar.gz`;
    execFileSync('tar', ['--create', '--gzip', '--file', file, '--directory', values.out, path.basename(folder)]);
    fs.rmSync(folder, { recursive: true });
    console.log(file);
  }
}
