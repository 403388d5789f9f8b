// Releases on machines of the test: this one, and such as would come after it.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Puts a release where its README has it; packed: as the file that an operator gets, in root's home. */
export async function putRelease(machine, folder, { isPacked = false } = {}) {
  const name = path.basename(folder);
  if (!isPacked) return fs.cpSync(folder, path.join(machine.root, 'opt', name), { recursive: true });
  const file = path.join(machine.root, 'root', `${name}-amd64.tar.gz`);
  const tar = spawn('tar', ['--create', '--directory', path.dirname(folder), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // as a release is packed, but for the time that it takes
  return pipeline(tar.stdout, createGzip({ level: 0 }), fs.createWriteStream(file));
}

/** Puts the same release by a later version there; its images are those that the machine has. `isBroken`: jobs of it does not start. */
export async function putNewerRelease(machine, release, version, { isBroken = false, engine = 'podman' } = {}) {
  const from = fs.readFileSync(path.join(release, 'VERSION'), 'utf8').trim();
  const folder = path.join(machine.root, 'opt', `tally-single-${version}`);
  fs.cpSync(release, folder, { recursive: true, filter: (file) => path.basename(file) !== 'images.tar' });
  fs.writeFileSync(path.join(folder, 'VERSION'), `${version}\n`);
  await machine.shell(
    `${engine} images --format '{{.Repository}}' --filter reference='localhost/tally/*:${from}' |
      while read -r name; do ${engine} tag "$name:${from}" "$name:${version}"; done`,
  );
  if (isBroken) {
    const unit = path.join(folder, 'quadlet/tally-jobs.container');
    fs.writeFileSync(
      unit,
      fs.readFileSync(unit, 'utf8').replace('[Container]', '[Container]\nEnvironment=JOBS_HUE=red'),
    );
  }
}
