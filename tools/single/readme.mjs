// Commands of deploy/single/README.md, word for word.
import fs from 'node:fs';
import path from 'node:path';

const README = path.join(import.meta.dirname, '../../deploy/single/README.md');

/** Commands below a heading. @throws Error: there are none */
export function commandsOf(heading) {
  const section = fs
    .readFileSync(README, 'utf8')
    .split(/^## /m)
    .find((text) => text.startsWith(`${heading}\n`));
  const [, commands] = /^```sh\n(.*?)^```$/ms.exec(section ?? '') ?? [];
  if (commands === undefined) throw new Error(`README.md has no commands below "${heading}"`);
  return commands;
}
