import { spawnSync } from 'node:child_process';
import { installPackages, mayInstallPackages } from './debian-packages.js';

const PROGRAM = 'dciodvfy';
const PACKAGE = 'dicom3tools';

/** Whether David Clunie's dciodvfy is here, which checks a DICOM file against the module tables of PS3.3. */
export function hasDicomValidator(): boolean {
  return spawnSync(PROGRAM, ['-version'], { stdio: 'ignore' }).error === undefined;
}

/**
 * What the validator says of a file: a line each, `Error - …` or `Warning - …`, behind what the file is.
 * @throws Error where there is none
 */
export function validateDicom(file: string): string[] {
  const { error, stdout, stderr } = spawnSync(PROGRAM, [file], { encoding: 'utf8' });
  if (error !== undefined) throw error;
  return `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
}

/**
 * Installs Debian's dicom3tools unless the validator is there, where packages may be installed. Where it cannot, says so in one line: tests
 * that need it are skipped.
 */
export async function provideDicomValidator(log?: (line: string) => void): Promise<void> {
  if (hasDicomValidator()) return;
  if (!mayInstallPackages()) {
    log?.(`no ${PROGRAM}, and RT Dose is not validated: TALLY_INSTALL=1 lets root install ${PACKAGE}`);
    return;
  }
  try {
    await installPackages([PACKAGE]);
  } catch (err) {
    const reason = err instanceof Error ? err.message.trim().slice(-200) : String(err);
    log?.(`no ${PROGRAM}, and RT Dose is not validated: ${reason}`);
  }
}
