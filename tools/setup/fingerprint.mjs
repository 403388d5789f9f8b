import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const SKIPPED = new Set(['node_modules', 'dist', 'gen', 'generated', '.git', '.tally']);

function* filesBelow(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) {
    yield file;
    return;
  }
  for (const name of fs.readdirSync(file).sort()) {
    if (!SKIPPED.has(name)) yield* filesBelow(path.join(file, name));
  }
}

/** Hash over the names and contents of files and of everything in folders, as far as `accepts` takes the name. */
export function fingerprint(root, inputs, accepts = () => true) {
  // what was installed or built by another Node or for another machine does not count
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.version}`);
  for (const input of inputs) {
    for (const file of filesBelow(path.join(root, input))) {
      if (!accepts(file)) continue;
      const content = fs.readFileSync(file);
      hash.update(`\0${path.relative(root, file)}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}
