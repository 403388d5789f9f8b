import { existsSync } from 'node:fs';
import { installPackages, mayInstallPackages } from './debian-packages.js';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine that tests can drive; undefined: none. */
export function findChromium(): string | undefined {
  return PROGRAMS.find((program) => existsSync(program));
}

/**
 * Installs Debian's chromium unless a browser is there, where packages may be installed. Where it cannot, says so in one
 * line: the tests in a browser are skipped.
 */
export async function provideChromium(log?: (line: string) => void): Promise<void> {
  if (findChromium() !== undefined) return;
  if (!mayInstallPackages()) {
    log?.('no Chromium, and the tests of the console in a browser are skipped: TALLY_INSTALL=1 lets root install it');
    return;
  }
  try {
    await installPackages(['chromium', 'fonts-dejavu-core']);
  } catch (err) {
    const reason = err instanceof Error ? err.message.trim().slice(-200) : String(err);
    log?.(`no Chromium, and the tests of the console in a browser are skipped: ${reason}`);
  }
}
