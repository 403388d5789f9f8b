// `pnpm judge`: the built-in engine beside real codes. Parts, all unless one is named by --part:
//   judges     Geant4, MCsquare and ompMC on the problems of problems.mjs
//   examples   every project of examples/ through the whole suite on Geant4 and on the engine (bench/geant4/examples.mjs)
//   --primaries N   of Geant4 and ompMC (20000)
//   --tasks N, --slots N   of the examples, as there
//   --write         put the tables of the judges into docs/engine.md; of all problems
//   --only NAME     problems whose name has this part; with --part examples, as there
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { withTable } from '../report/table.mjs';
import { judge } from './judges.mjs';

const DOCUMENT = path.join(import.meta.dirname, '../../docs/engine.md');

const { values: options } = parseArgs({
  options: {
    part: { type: 'string', default: '' },
    primaries: { type: 'string', default: '20000' },
    tasks: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
    slots: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const primaries = Number(options.primaries);
if (!['', 'judges', 'examples'].includes(options.part)) throw new Error('--part must be judges or examples');
if (!(Number.isInteger(primaries) && primaries >= 1000))
  throw new Error('--primaries must be a whole number from 1000 on');
if (options.write && (options.only !== '' || options.part === 'examples'))
  throw new Error('--write takes the tables of all problems: name none');
const say = (line = '') => process.stdout.write(`${line}\n`);

if (options.part !== 'examples') {
  const lines = await judge({ primaries, only: options.only, say });
  if (options.write)
    fs.writeFileSync(DOCUMENT, withTable(fs.readFileSync(DOCUMENT, 'utf8'), lines, 'pnpm judge --write'));
}
if (options.part !== 'judges') {
  const examples = path.join(import.meta.dirname, '../geant4/examples.mjs');
  const slots = options.slots === undefined ? [] : ['--slots', options.slots];
  const own = ['--primaries', options.primaries, '--tasks', options.tasks, ...slots];
  // a name is that of one part's
  const only = options.part === 'examples' && options.only !== '' ? ['--only', options.only] : [];
  const { status } = spawnSync(process.execPath, [examples, ...own, ...only], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
