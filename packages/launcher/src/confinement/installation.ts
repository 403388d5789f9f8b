import { realpathSync } from 'node:fs';
import path from 'node:path';

/** Beside a folder `bin`: what belongs to its programs (Filesystem Hierarchy Standard 3.0, 4.2). */
const BESIDE_BIN = ['lib', 'lib64', 'libexec', 'share', 'data'];

/** The folders of a program, absolute; a link and the program that it leads to may lie apart. */
export function installationOf(executable: string): string[] {
  const folders = new Set([executable, realPath(executable)].map((file) => path.dirname(file)));
  return [...folders].flatMap((folder) => {
    const beside = path.basename(folder) === 'bin' ? BESIDE_BIN : [];
    return [folder, ...beside.map((name) => path.join(path.dirname(folder), name))];
  });
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file; // it is not there, which is found out when it is tried
  }
}
