// How the images run a service, read from the Dockerfile that makes them, so that the bench runs the same.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const root = path.join(import.meta.dirname, '../..');

/** Instructions of the last stage, lines that end in `\` joined. */
function lastStage() {
  const text = fs.readFileSync(path.join(root, 'docker/Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  return text.slice(text.lastIndexOf('\nFROM ')).split('\n');
}

const argumentOf = (instruction) =>
  lastStage()
    .find((line) => line.startsWith(`${instruction} `))
    ?.slice(instruction.length + 1);

/** Program and arguments of the container of a service, over the build in this folder; `flags`: more for Node. */
export function imageCommand(service, flags = []) {
  const [program, ...entry] = JSON.parse(argumentOf('ENTRYPOINT'));
  if (program !== 'node') throw new Error(`the image starts ${program}; the bench knows node only`);
  const args = [...entry, ...JSON.parse(argumentOf('CMD'))];
  return [process.execPath, ...flags, ...args.map((arg) => arg.replace(/^\/app\//, `${root}/services/${service}/`))];
}

/** Environment of every container; not its PATH, which is the container's. */
export function imageEnvironment() {
  const pairs = (argumentOf('ENV') ?? '')
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('='));
  return Object.fromEntries(pairs.filter(([name]) => name !== 'PATH'));
}
