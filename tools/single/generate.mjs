// `pnpm single:gen`: from k8s/manifests and the facts of the chart to the units and compose.yaml of deploy/single. With --check nothing is
// written: it says which files that would change.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { machineCompose } from './compose.mjs';
import { describeMachine } from './containers.mjs';
import { machineUnits } from './units.mjs';

const root = path.join(import.meta.dirname, '../..');
const folder = 'deploy/single/quadlet';
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');

const facts = read('k8s/chart/files/services.json');
const machine = describeMachine(JSON.parse(facts), (service) => read(`k8s/manifests/${service}.yaml`));
const files = new Map([
  ['deploy/single/services.json', facts],
  ['deploy/single/compose.yaml', machineCompose(machine)],
]);
for (const [name, text] of machineUnits(machine)) files.set(`${folder}/${name}`, text);

const present = fs.existsSync(path.join(root, folder)) ? fs.readdirSync(path.join(root, folder)) : [];
const surplus = present.map((name) => `${folder}/${name}`).filter((file) => !files.has(file));
const isSame = ([file, text]) => fs.existsSync(path.join(root, file)) && read(file) === text;
const changed = [...[...files].filter((entry) => !isSame(entry)).map(([file]) => file), ...surplus];
if (!values.check) {
  for (const file of surplus) fs.rmSync(path.join(root, file));
  for (const [file, text] of files) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
} else if (changed.length > 0) {
  console.error(`run pnpm single:gen, these files are not what it makes:\n${changed.join('\n')}`);
  process.exit(1);
}
