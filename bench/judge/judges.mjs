// The built-in engine beside independent codes on the problems of problems.mjs: ranges, widths, LET and gamma, as a table of Markdown.
import fs from 'node:fs';
import path from 'node:path';
import {
  createRunDirectory,
  provideGeant4,
  providePythonTool,
  removeRunDirectory,
} from '../../packages/testkit/dist/src/index.js';
import { ofEngine, ofGeant4, ofMcsquare, ofOmpmc } from './codes.mjs';
import { PROBLEMS } from './problems.mjs';
import { gammaRate, readDose } from './readings.mjs';

/** Histories of a code for one of `--primaries`: what each does in about the same time. */
const JUDGES = [
  { name: 'geant4', run: ofGeant4, share: 1, hasProblem: () => true },
  { name: 'mcsquare', run: ofMcsquare, share: 5, hasProblem: ({ beam }) => beam.particle.name === 'proton' },
  { name: 'ompmc', run: ofOmpmc, share: 1, hasProblem: ({ kind }) => kind !== 'ions' },
];
const ENGINE_SHARE = 10;
/** A second run of the engine with as many histories as the judge: how far noise alone goes. */
const OTHER_SEED = '2';

const text = (value, digits) => (value === undefined || Number.isNaN(value) ? '' : value.toFixed(digits));
const list = (values, digits) => values?.map((value) => text(value, digits)).join(' / ') ?? '';

function row(name, { version, primaries }, problem, readings, rates) {
  const ranges = {
    ions: () => list([readings.r80, readings.r20], 3),
    electrons: () => list([readings.r50, readings.rp], 3),
    photons: () => list([readings.d5, readings.d10, readings.d20], 4),
  }[problem.kind]();
  const cells = [name, `${version}, ${primaries}`, ranges, text(readings.ratio, 3), list(readings.sigmas, 2)];
  return `| ${[...cells, list(readings.lets, 1), list(rates, 1)].join(' | ')} |`;
}

/** Compares the codes that can be had; says of the others in one sentence why not. */
export async function judge({ primaries, only, say }) {
  const isThere = {
    geant4: (await provideGeant4(say)) !== undefined,
    mcsquare: await providePythonTool('mcsquare', say),
    ompmc: await providePythonTool('ompmc', say),
  };
  const problems = PROBLEMS.filter(({ name }) => name.includes(only));
  if (problems.length === 0) throw new Error(`no problem is called ${only}`);
  const directory = createRunDirectory('judges');
  try {
    say(
      '| problem | code, histories | R80 / R20, cm (electrons R50 / Rp; photons dose at 5 / 10 / 20 cm, MeV cm²/g) | peak : entrance (photons 20 : 10 cm) | σ at three depths, mm | dLET at R80/2 and R80 − 5 mm, MeV/cm | gamma of the engine 2 %/1 mm, and of noise, % |',
    );
    say('|---|---|---|---|---|---|---|');
    for (const problem of problems) {
      const engine = await ofEngine(problem, ENGINE_SHARE * primaries);
      say(row(problem.name, engine, problem, readDose(problem, engine)));
      for (const { name, run, share, hasProblem } of JUDGES) {
        if (!isThere[name] || !hasProblem(problem)) continue;
        const work = path.join(directory, name);
        fs.mkdirSync(work, { recursive: true });
        const found = await run(problem, share * primaries, { work });
        const noise = await ofEngine(problem, share * primaries, { seed: OTHER_SEED });
        const rates = [found, noise].map(({ dose }) => gammaRate(problem, dose, engine.dose));
        say(row('', found, problem, readDose(problem, found), rates));
      }
    }
  } finally {
    removeRunDirectory(directory);
  }
}
