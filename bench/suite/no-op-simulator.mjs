// A simulator that computes nothing: a shell script without any other process, which writes files of simA as quickly as a
// process can, always with the same numbers. What a task costs beside it is what the suite costs.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { findDriver, readProject } from '../../packages/simulators/dist/src/index.js';

const root = path.join(import.meta.dirname, '../..');
const STAND_IN = path.join(root, 'packages/testkit/dist/src/stand-ins/sim-a.js');
/** Number of histories that the stand-in is asked for: its bytes are looked for in what it writes. */
const MARK = 0x7a6b5c4d;
const MARK_BYTES = Buffer.from(BigInt64Array.of(BigInt(MARK)).buffer);

/** Bytes as the format of printf(1). */
const octal = (bytes) => [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

/** What the stand-in writes for the deck of a project: file names and bytes. */
function outputsOf(project, folder) {
  const driver = findDriver('simA', 'editor', new Map([['simA', '']]));
  const { files } = driver.convert(readProject(project));
  const share = driver.apportion(files, { primaries: MARK, firstHistory: 0, seed: '1' });
  for (const [name, text] of Object.entries(share)) fs.writeFileSync(path.join(folder, name), text);
  const { status, stderr } = spawnSync(process.execPath, [STAND_IN, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the stand-in of simA: ${stderr}`);
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.bdo'))
    .map((name) => [name, fs.readFileSync(path.join(folder, name))]);
}

function writeCommand([name, bytes]) {
  const at = bytes.indexOf(MARK_BYTES);
  if (at < 0) throw new Error(`${name} does not say its number of histories`);
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at + MARK_BYTES.length)];
  return `printf "${octal(head)}$histories${octal(tail)}" > "$folder/${name}"`;
}

/**
 * Writes the script for tasks of a project into a folder of its own; returns its path.
 */
export function writeNoOpSimulator(project, directory) {
  const folder = path.join(directory, 'no-op');
  fs.mkdirSync(folder);
  const script = `#!/bin/sh
for folder do :; done
while read -r key value rest; do
  if [ "$key" = NSTAT ]; then left=$value; fi
done < "$folder/beam.dat"
histories=
for octet in 1 2 3 4 5 6 7 8; do
  histories="$histories\\\\$((left % 256 / 64))$((left % 64 / 8))$((left % 8))"
  left=$((left / 256))
done
${outputsOf(project, folder).map(writeCommand).join('\n')}
`;
  const file = path.join(folder, 'no-op-simulator');
  fs.writeFileSync(file, script, { mode: 0o755 });
  return file;
}
