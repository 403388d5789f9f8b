// What the last stage of docker/Dockerfile says of every image, for whoever runs or builds a service as its image does.
import fs from 'node:fs';
import path from 'node:path';

const DOCKERFILE = path.join(import.meta.dirname, '../../docker/Dockerfile');

/** Argument of an instruction, `CMD` for example, lines that end in `\` joined; undefined: there is none. */
export function argumentOf(instruction) {
  const text = fs.readFileSync(DOCKERFILE, 'utf8').replaceAll('\\\n', ' ');
  return text
    .slice(text.lastIndexOf('\nFROM '))
    .split('\n')
    .find((line) => line.startsWith(`${instruction} `))
    ?.slice(instruction.length + 1);
}
