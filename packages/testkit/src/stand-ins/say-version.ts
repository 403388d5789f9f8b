import process from 'node:process';

/** Versions of the stand-ins, as they stand in their banners. */
export const STAND_IN_VERSIONS = {
  simA: '1.0-stand-in',
  simB: '4-4.0-stand-in',
  simC: '11-02-stand-in',
  simD: '3.9-stand-in',
} as const;

const BANNERS: Readonly<Record<keyof typeof STAND_IN_VERSIONS, (version: string) => string>> = {
  simA: (version) => `SHIELD-HIT12A\n  Version: v${version}\n  Build date: today, 2026\n`,
  simB: (version) => `FLUKA Version ${version}, installed today\n`,
  simC: (version) => ` Geant4 version Name: geant4-${version}    (today)\n`,
  simD: (version) => `Welcome to TOPAS, Tool for Particle Simulation (Version ${version})\n`,
};

/** Asked with `--version`, a stand-in prints its banner and ends. To be called before anything is read. */
export function sayVersionIfAsked(simulator: keyof typeof STAND_IN_VERSIONS): void {
  if (!process.argv.includes('--version')) return;
  process.stdout.write(BANNERS[simulator](STAND_IN_VERSIONS[simulator]));
  process.exit(0); // oxlint-disable-line no-process-exit -- a program of its own
}
