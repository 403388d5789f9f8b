import { isSimType, isVersion, type SimType } from './sim-type.js';

/** Simulators of which a deployment has an executable, and its version; empty: not known. */
export type Executables = ReadonlyMap<SimType, string>;

/**
 * Reads the list of executables as configurations give it: `simA=1.0.1,simB`, versions where they are known.
 * @returns `undefined` for anything else
 */
export function parseExecutables(text: string): Executables | undefined {
  const executables = new Map<SimType, string>();
  for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
    const [name = '', version = ''] = entry.split('=', 2).map((part) => part.trim());
    if (!isSimType(name) || executables.has(name) || !isVersion(version)) return undefined;
    executables.set(name, version);
  }
  return executables;
}

/** The list that {@link parseExecutables} reads. */
export function writeExecutables(executables: Executables): string {
  return [...executables].map(([simType, version]) => (version === '' ? simType : `${simType}=${version}`)).join(',');
}
