import type { OutputFolder } from '../../src/driver.js';

/** A folder with these files. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): OutputFolder {
  return {
    names: Object.keys(files),
    read: (name) => {
      const file = files[name];
      if (file === undefined) return Promise.reject(new Error(`no file ${name}`));
      return Promise.resolve(typeof file === 'string' ? new TextEncoder().encode(file) : file);
    },
  };
}
