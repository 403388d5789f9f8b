// The built-in engine beside independent codes on the problems of problems.mjs: ranges, widths, LET and gamma, as tables of Markdown.
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
  { folder: 'geant4', name: 'Geant4', run: ofGeant4, share: 1, hasProblem: () => true },
  {
    folder: 'mcsquare',
    name: 'MCsquare',
    run: ofMcsquare,
    share: 5,
    hasProblem: ({ beam }) => beam.particle.name === 'proton',
  },
  { folder: 'ompmc', name: 'ompMC', run: ofOmpmc, share: 1, hasProblem: ({ kind }) => kind !== 'ions' },
];
const ENGINE_SHARE = 10;
/** A second run of the engine with as many histories as the judge: how far noise alone goes. */
const OTHER_SEED = '2';

/** Tables, one for each kind of beam: their heads, and what a row has of ranges. */
const TABLES = {
  ions: {
    head: 'protons and ions | code, histories | R80 / R20, cm | peak : entrance | σ at 0.3 / 0.6 / 0.9 R80, mm | dLET at R80/2 / R80 − 5 mm, MeV/cm | gamma / noise, %',
    ranges: ({ r80, r20 }) => list([r80, r20], 3),
  },
  electrons: {
    head: 'electrons | code, histories | R50 / practical range, cm | peak : entrance | width at 0.3 / 0.6 / 0.9 R50, mm | gamma / noise, %',
    ranges: ({ r50, rp }) => list([r50, rp], 3),
  },
  photons: {
    head: 'photons | code, histories | dose at 5 / 10 / 20 cm, MeV cm²/g | 20 : 10 cm | width at 9 / 18 / 27 cm, mm | gamma / noise, %',
    ranges: ({ d5, d10, d20 }) => list([d5, d10, d20], 4),
  },
};

const text = (value, digits) => (value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits));
const list = (values, digits) => values?.map((value) => text(value, digits)).join(' / ') ?? '';

function row(problem, code, primaries, readings, rates) {
  const { kind } = problem;
  const isFirst = rates === undefined;
  const cells = [
    isFirst ? problem.name : '',
    `${code}, ${primaries}`,
    TABLES[kind].ranges(readings),
    text(readings.ratio, 3),
    list(readings.sigmas, 2),
    ...(kind === 'ions' ? [list(readings.lets, 1)] : []),
    list(rates, 1),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Of one problem: the engine's row, and one of each code that can be had. */
async function* compareCodes(problem, primaries, judges, directory) {
  const engine = await ofEngine(problem, ENGINE_SHARE * primaries);
  yield row(problem, 'engine', engine.primaries, readDose(problem, engine));
  for (const { folder, name, run, share } of judges) {
    const work = path.join(directory, folder);
    fs.mkdirSync(work, { recursive: true });
    const found = await run(problem, share * primaries, { work });
    const noise = await ofEngine(problem, share * primaries, { seed: OTHER_SEED });
    const rates = [found, noise].map(({ dose }) => gammaRate(problem, dose, engine.dose));
    yield row(problem, name, found.primaries, readDose(problem, found), rates);
  }
}

/** Compares the codes that can be had, says each row as it comes, and returns the tables; says of a code in one sentence why it is missing. */
export async function judge({ primaries, only, say }) {
  const isThere = {
    geant4: (await provideGeant4(say)) !== undefined,
    mcsquare: await providePythonTool('mcsquare', say),
    ompmc: await providePythonTool('ompmc', say),
  };
  const problems = PROBLEMS.filter(({ name }) => name.includes(only));
  if (problems.length === 0) throw new Error(`no problem is called ${only}`);
  const directory = createRunDirectory('judges');
  const lines = [];
  try {
    for (const [kind, { head }] of Object.entries(TABLES)) {
      const own = problems.filter((problem) => problem.kind === kind);
      if (own.length === 0) continue;
      const table = [`| ${head} |`, `|${head.replace(/[^|]+/g, '---')}|`];
      say(`\n${table.join('\n')}`);
      for (const problem of own) {
        const judges = JUDGES.filter(({ folder, hasProblem }) => isThere[folder] && hasProblem(problem));
        for await (const line of compareCodes(problem, primaries, judges, directory)) {
          say(line);
          table.push(line);
        }
      }
      lines.push('', ...table);
    }
  } finally {
    removeRunDirectory(directory);
  }
  return [...lines, ''];
}
