// How the images run a service, read from the Dockerfile that makes them, so that the bench runs the same.
import path from 'node:path';
import { serviceNode } from '../../packages/testkit/dist/src/index.js';
import { argumentOf } from '../../tools/image/last-stage.mjs';

const root = path.join(import.meta.dirname, '../..');

/** Program and arguments of the container of a service, over the build in this folder; `flags`: more for Node. */
export function imageCommand(service, flags = []) {
  const [program, ...entry] = JSON.parse(argumentOf('ENTRYPOINT'));
  if (program !== 'node') throw new Error(`the image starts ${program}; the bench knows node only`);
  const args = [...entry, ...commandOf()];
  return [serviceNode(), ...flags, ...args.map((arg) => arg.replace(/^\/app\//, `${root}/services/${service}/`))];
}

const commandOf = () => JSON.parse(argumentOf('CMD'));

/** Environment of every container; not its PATH, which is the container's. */
export function imageEnvironment() {
  const pairs = (argumentOf('ENV') ?? '')
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('='));
  return Object.fromEntries(pairs.filter(([name]) => name !== 'PATH'));
}
