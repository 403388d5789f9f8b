// Commands of deploy/single/README.md, word for word.
import fs from 'node:fs';
import path from 'node:path';

const README = path.join(import.meta.dirname, '../../deploy/single/README.md');

/** Commands of a block below a heading, of the first unless `index` says which. @throws Error: there are none */
export function commandsOf(heading, index = 0) {
  const section = fs
    .readFileSync(README, 'utf8')
    .split(/^## /m)
    .find((text) => text.startsWith(`${heading}\n`));
  const [, commands] = [...(section ?? '').matchAll(/^```sh\n(.*?)^```$/gms)][index] ?? [];
  if (commands === undefined) throw new Error(`README.md has no commands below "${heading}"`);
  return commands;
}
