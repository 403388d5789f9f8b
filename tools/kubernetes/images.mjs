// Images without a registry: built as for pnpm test:containers, and given to the node's containerd.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { buildBase, buildServiceImage, podman, tryPodman } from '../containers/podman.mjs';
import { root, SERVICES } from '../k8s/service-facts.mjs';

export const REPOSITORY = 'localhost/tally-kubernetes';
export const VERSION = 'test';
/** The same images by another name: what a release that comes after it would be. */
export const NEXT_VERSION = 'next';
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
  } finally {
    for (const tag of built) await tryPodman(['rmi', '--force', tag]);
  }
  return folder;
}

export async function importImages(folder, { ctr }) {
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.tar'))) {
    await ctr('images', 'import', path.join(folder, file));
    fs.rmSync(path.join(folder, file));
  }
  for (const service of SERVICES) await ctr('images', 'tag', imageOf(service), imageOf(service, NEXT_VERSION));
}
