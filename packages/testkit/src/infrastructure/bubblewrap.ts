import { spawnSync } from 'node:child_process';
import { installPackages, mayInstallPackages } from './debian-packages.js';

/** Whether bubblewrap is here and may make namespaces. */
export function hasBubblewrap(): boolean {
  const args = ['--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', '--proc', '/proc', '/bin/true'];
  return spawnSync('bwrap', args, { stdio: 'ignore' }).status === 0;
}

/**
 * Makes sure that simulators can be confined: bubblewrap is there, or Debian's package is installed now. Resolves to whether
 * they can. To be called before tests, which should not wait for a package.
 * @param install - whether it may be installed; as set by CI=true or TALLY_INSTALL=1 unless given
 */
export async function provideBubblewrap(log?: (line: string) => void, install?: boolean): Promise<boolean> {
  if (hasBubblewrap()) return true;
  if (mayInstallPackages(install)) {
    log?.('bubblewrap: installing it with apt-get');
    await installPackages(['bubblewrap']);
    if (hasBubblewrap()) return true;
  }
  log?.('no bubblewrap that works here (Debian: apt-get install bubblewrap): simulators are not confined');
  return false;
}
