import { isVersion, type SimType, VERSION_LENGTH_MAX } from './sim-type.js';

/** How an executable is asked for its version. */
export interface VersionProbe {
  /** Put behind the arguments of every start. */
  readonly args: readonly string[];
  /** Its first group is the version, in what the executable prints. */
  readonly pattern: RegExp;
}

/** One of these words, blanks or a colon, and what begins with a digit and ends with a letter or digit; then `remarks`. */
function versionAfter(words: string, remarks = ''): RegExp {
  return new RegExp(String.raw`\b(?:(?:${words})[:\s]+v?|geant4-)(\d(?:[\w.+-]*\w)?${remarks})`, 'i');
}

/** Words behind the version, one blank before each: `11.4.1 own tables - not for claims about physics`. */
const REMARKS = String.raw`(?: [\w.+-]+)*`;

/**
 * For the banners `Version: v1.0.1` (simA), `FLUKA Version 4-4.0` (simB), `Geant4 version Name: geant4-11-02-patch-01`
 * (simC, which may say something about its data behind it), `TOPAS Version: 3.9` (simD). Where none comes, the version is not known and the executable runs all the same.
 */
export const VERSION_PROBES: Readonly<Record<SimType, VersionProbe>> = {
  simA: { args: ['--version'], pattern: versionAfter('version|SHIELD-HIT12A') },
  simB: { args: ['--version'], pattern: versionAfter('version|FLUKA') },
  simC: { args: ['--version'], pattern: versionAfter('version', REMARKS) },
  simD: { args: ['--version'], pattern: versionAfter('version|TOPAS') },
};

/** The version in what an executable has printed; empty where there is none. */
export function readVersion(printed: string, pattern: RegExp): string {
  const found = pattern.exec(printed)?.[1]?.trim().slice(0, VERSION_LENGTH_MAX) ?? '';
  return isVersion(found) ? found : '';
}
