import { runCommand } from './run-command.mjs';

/**
 * The command for pnpm: the one on PATH if it has the major version that `packageManager` in package.json names (it
 * decides the format of the lock file), else that exact version through npx, which needs no rights to install anything.
 */
export async function findPnpm(packageManager, root) {
  const version = /^pnpm@(\d+)\.[^+]+/.exec(packageManager);
  if (!version) throw new Error(`packageManager in package.json is not pnpm: ${packageManager}`);
  const [exact, major] = version;
  try {
    const installed = await runCommand('pnpm --version', { root });
    if (installed.trim().startsWith(`${major}.`)) return 'pnpm';
  } catch {
    // not installed
  }
  return `npx -y ${exact}`;
}
