import { spawnSync } from 'node:child_process';
import { installPackages, mayInstallPackages } from './debian-packages.js';

/** What runs containers on Debian: podman and its network programs, which it only recommends, and what the tests of images call. */
export const CONTAINER_PACKAGES = ['podman', 'runc', 'netavark', 'aardvark-dns', 'iptables', 'iproute2', 'openssl'];

const PROGRAMS = [
  ['podman', '--version'],
  ['runc', '--version'],
  ['iptables', '--version'],
  ['ip', '-V'],
  ['openssl', 'version'],
] as const;

/** Programs of {@link CONTAINER_PACKAGES} that are not here. */
export function missingContainerPrograms(): string[] {
  return PROGRAMS.filter(([program, flag]) => spawnSync(program, [flag], { stdio: 'ignore' }).status !== 0).map(
    ([program]) => program,
  );
}

/** Installs {@link CONTAINER_PACKAGES} where they are missing and packages may be installed; says in one line what failed. */
export async function provideContainers(log?: (line: string) => void): Promise<void> {
  if (missingContainerPrograms().length === 0 || !mayInstallPackages()) return;
  log?.('podman and runc: installing them with apt-get');
  try {
    await installPackages(CONTAINER_PACKAGES);
  } catch (err) {
    log?.(`no podman: ${err instanceof Error ? err.message.trim().slice(-200) : String(err)}`);
  }
}
