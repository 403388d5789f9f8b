import { spawnSync } from 'node:child_process';

const works = () => spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-user', '/bin/true']).status === 0;

/**
 * Whether assembled images can be tried here. Installs bubblewrap by the system's package manager where the caller
 * allows it, as for RabbitMQ: as root, with CI=true or TALLY_INSTALL=1. Says in one line when it cannot.
 */
export function provideBubblewrap(): boolean {
  if (works()) return true;
  const isAllowed = process.env.CI === 'true' || process.env.TALLY_INSTALL === '1';
  if (isAllowed && process.getuid?.() === 0) {
    const quiet = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', 'bubblewrap'], quiet);
    if (works()) return true;
  }
  process.stderr.write('no bubblewrap that works here: assembled images are checked but not started\n');
  return false;
}
