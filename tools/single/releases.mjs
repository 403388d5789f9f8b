// Releases on machines of the test: this one, and such as would come after it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Puts a release where its README has it; packed: as the file that an operator gets, in root's home. */
export function putRelease(machine, folder, { isPacked = false } = {}) {
  const name = path.basename(folder);
  if (!isPacked) return fs.cpSync(folder, path.join(machine.root, 'opt', name), { recursive: true });
  const file = path.join(machine.root, 'root', `${name}-amd64.tar.gz`);
  const args = [
    '--create',
    '--file',
    file,
    '--use-compress-program',
    'gzip -1',
    '--directory',
    path.dirname(folder),
    name,
  ];
  execFileSync('tar', args);
  return file;
}

/** What an archive of images says of them, with every tag of a version replaced by another. */
function retag(archive, from, to) {
  const dir = `${archive}.parts`;
  fs.mkdirSync(dir);
  const listed = ['manifest.json', 'repositories'].filter((name) =>
    execFileSync('tar', ['-tf', archive], { encoding: 'utf8' }).split('\n').includes(name),
  );
  for (const name of listed) {
    execFileSync('tar', ['--extract', '--file', archive, '--directory', dir, name]);
    const text = fs
      .readFileSync(path.join(dir, name), 'utf8')
      .replaceAll(`:${from}"`, `:${to}"`)
      .replaceAll(`"${from}":`, `"${to}":`);
    fs.writeFileSync(path.join(dir, name), text);
    execFileSync('tar', ['--delete', '--file', archive, name]);
    execFileSync('tar', ['--append', '--file', archive, '--directory', dir, name]);
  }
  fs.rmSync(dir, { recursive: true });
}

/** The same release by a later version. `isBroken`: jobs of it does not start. */
export function newerRelease(release, dir, version, { isBroken = false } = {}) {
  const from = fs.readFileSync(path.join(release, 'VERSION'), 'utf8').trim();
  const folder = path.join(dir, `tally-single-${version}`);
  fs.cpSync(release, folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'VERSION'), `${version}\n`);
  retag(path.join(folder, 'images.tar'), from, version);
  if (isBroken) {
    const unit = path.join(folder, 'quadlet/tally-jobs.container');
    fs.writeFileSync(
      unit,
      fs.readFileSync(unit, 'utf8').replace('[Container]', '[Container]\nEnvironment=JOBS_HUE=red'),
    );
  }
  return folder;
}
