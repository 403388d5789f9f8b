// Images without a registry: built as for pnpm test:containers, and given to the containerd of each node.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { buildBase, buildServiceImage, podman, tryPodman } from '../containers/podman.mjs';
import { root, SERVICES } from '../k8s/service-facts.mjs';

export const REPOSITORY = 'localhost/tally-kubernetes';
export const VERSION = 'test';
/** The same images by another name: what a release that comes after it would be. */
export const NEXT_VERSION = 'next';
/** A release of jobs whose migration fails. */
export const BROKEN_VERSION = 'broken';
export const BROKEN_MIGRATION = '29990101000000_alter_a_table_that_is_not_there';
export const PAUSE = `${REPOSITORY}/pause:${VERSION}`;
export const COREDNS = `${REPOSITORY}/coredns:${VERSION}`;

export const imageOf = (service, version = VERSION) => `${REPOSITORY}/${service}:${version}`;

/** An image of one program. */
async function buildProgramImage(dir, program, tag) {
  const folder = path.join(dir, path.basename(tag).replace(/:.*/, ''));
  fs.mkdirSync(folder);
  fs.copyFileSync(program, path.join(folder, 'program'));
  fs.writeFileSync(`${folder}.containerfile`, 'FROM scratch\nCOPY program /program\nENTRYPOINT ["/program"]\n');
  await podman(['build', '--quiet', '--runtime', 'runc', '--file', `${folder}.containerfile`, '--tag', tag, folder]);
}

/** The image of jobs with one more migration. */
async function buildBrokenImage(dir) {
  const folder = path.join(dir, 'broken');
  const migration = path.join(folder, BROKEN_MIGRATION);
  fs.mkdirSync(migration, { recursive: true });
  fs.writeFileSync(path.join(migration, 'migration.sql'), 'ALTER TABLE not_there ADD COLUMN id integer;\n');
  const lines = [`FROM ${imageOf('jobs')}`, 'COPY . /app/prisma/migrations/', ''];
  fs.writeFileSync(`${folder}.containerfile`, lines.join('\n'));
  const tag = ['--tag', imageOf('jobs', BROKEN_VERSION)];
  await podman(['build', '--quiet', '--runtime', 'runc', '--file', `${folder}.containerfile`, ...tag, folder]);
}

/** Builds all images into files that {@link importImages} takes; nothing of them stays with podman. */
export async function buildImages(dir, { coredns, pause }) {
  const folder = path.join(dir, 'images');
  fs.mkdirSync(folder);
  await buildBase();
  const built = [];
  const keep = async (tag) => {
    built.push(tag);
    await podman(['save', '--output', path.join(folder, `${built.length}.tar`), tag]);
  };
  try {
    for (const [program, tag] of [
      [pause, PAUSE],
      [coredns, COREDNS],
    ]) {
      await buildProgramImage(folder, program, tag);
      await keep(tag);
    }
    for (const service of SERVICES) {
      const out = path.join(folder, service);
      const args = [path.join(root, 'tools/image-rootfs.mjs'), service, '--out', out];
      execFileSync(process.execPath, args, { stdio: 'pipe' });
      await buildServiceImage(out, imageOf(service));
      fs.rmSync(out, { recursive: true });
      await keep(imageOf(service));
    }
    await buildBrokenImage(folder);
    await keep(imageOf('jobs', BROKEN_VERSION));
  } finally {
    for (const tag of built) await tryPodman(['rmi', '--force', tag]);
  }
  return folder;
}

/** Gives all images to nodes, and removes the files. */
export async function importImages(folder, nodes) {
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.tar'))) {
    await Promise.all(nodes.map(({ ctr }) => ctr('images', 'import', path.join(folder, file))));
    fs.rmSync(path.join(folder, file));
  }
  for (const { ctr } of nodes)
    for (const service of SERVICES) await ctr('images', 'tag', imageOf(service), imageOf(service, NEXT_VERSION));
}
