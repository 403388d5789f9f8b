import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

const POLICY_FILE = '/usr/sbin/policy-rc.d';
const POLICY = '#!/bin/sh\n# temporary: a package installed for tests starts no service\nexit 101\n';
/** Another apt-get may be at work. */
const LOCK_WAIT_SECONDS = 300;

async function run(program: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4000);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${output}`);
}

/**
 * Whether `command` passes with Debian's switch against starting services in place (invoke-rc.d asks policy-rc.d: 101 =
 * not allowed). A policy that is there already stays as it is.
 */
async function withoutServiceStart(command: () => Promise<void>): Promise<void> {
  const hasPolicy = existsSync(POLICY_FILE);
  if (!hasPolicy) writeFileSync(POLICY_FILE, POLICY, { mode: 0o755 });
  try {
    await command();
  } finally {
    if (!hasPolicy) rmSync(POLICY_FILE, { force: true });
  }
}

/** Whether {@link installPackages} can do anything: on Debian and its kin, as root. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/**
 * Whether packages are to be installed, and can be.
 * @param isAllowed - by the caller of a test run: CI=true or TALLY_INSTALL=1 unless given
 */
export function mayInstallPackages(
  isAllowed: boolean = process.env.CI === 'true' || process.env.TALLY_INSTALL === '1',
): boolean {
  return isAllowed && canInstallPackages();
}

/** Installs Debian packages without starting what they bring as services. @throws Error if apt-get fails */
export async function installPackages(names: readonly string[]): Promise<void> {
  const lock = ['-o', `DPkg::Lock::Timeout=${LOCK_WAIT_SECONDS}`];
  await withoutServiceStart(async () => {
    await run('apt-get', [...lock, 'update', '-q']);
    await run('apt-get', [...lock, 'install', '-y', '-q', '--no-install-recommends', ...names]);
  });
}
