import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tally/testkit';
import { between, pick, type Random, times } from './draw.js';

/*
 * Input files that a simulator would read or refuse, and that are awkward to look through: long lines, many files that include each
 * other, macros that execute macros, quoted names, markup that never ends.
 */

type Files = Record<string, string>;
export interface AwkwardDeck {
  readonly what: string;
  readonly simType: 'simA' | 'simB' | 'simC' | 'simD';
  readonly simData: Files;
}

const MEGABYTE = 1_000_000;
const repeated = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length));
const size = (random: Random) => between(random, 1_000, 2 * MEGABYTE);
const sample = (name: string) =>
  readFileSync(path.join(workspaceRoot(), 'examples/proton-150mev-water-simA', `${name}.dat`), 'utf8');

function simA(random: Random): Files {
  const files = Object.fromEntries(['beam', 'detect', 'geo', 'mat'].map((name) => [`${name}.dat`, sample(name)]));
  const target = pick(Object.keys(files), random);
  const more = pick(
    [
      repeated('NOTHING 1 2 3\n', between(random, 20, 100_000)),
      `NSTAT ${'1'.repeat(size(random))}\n`,
      repeated(' ', size(random)),
      repeated('*\n', size(random)),
      repeated('USEBMOD 1 "a b" ', size(random)),
      repeated('Output\n  Filename "a\n', between(random, 20, 100_000)),
      repeated('Geometry Mesh\n  Name x\n  X -1 1 1000000\n', between(random, 20, 100_000)),
    ],
    random,
  );
  return { ...files, [target]: `${files[target]}${more}` };
}

function simB(random: Random): Files {
  const card = pick(
    [
      'OPEN             21.                                                  NEW\n',
      'USRBIN           10.      208.      -21.       10.       10.       10.dose\n',
      'SOURCE \n#define a b\n#if a\n',
      '#include "a"\n',
      `${'A'.repeat(between(random, 1, 2_000))}\n`,
      'GEOBEGIN                                                              COMBNAME\n',
      '* comment & & & \\\n',
    ],
    random,
  );
  const body = `TITLE\nawkward\nBEAM          -0.15                                                  PROTON\n${repeated(card, size(random))}START           100.\nSTOP\n`;
  return { 'run.inp': body };
}

const MACROS: readonly ((random: Random) => Files)[] = [
  (random) =>
    Object.fromEntries(
      times(between(random, 2, 90), (at) => [
        `m${at}.mac`,
        repeated(`/control/execute m${at + 1}.mac\n`, between(random, 20, 20_000)),
      ]),
    ),
  (random) => ({ 'a.mac': repeated('/control/alias a {b}{c}{d}\n', size(random)) }),
  (random) => ({ 'a.mac': repeated('/control//shell\t{a} "\n', size(random)) }),
  (random) => ({
    'a.mac': `/control/loop b.mac i 1 ${between(random, 1, 1e9)}\n`,
    'b.mac': repeated('/run/beamOn 1\n', size(random)),
  }),
  (random) => ({ 'a.mac': repeated('/run/beamOn 1e3 \\\n', size(random)) }),
  (random) => ({ 'a.mac': '/'.repeat(size(random)) }),
];
const MARKUP = [
  '<!ENTITY PUBLIC "',
  '<!--',
  '<a b="',
  '<![CDATA[',
  '<!DOCTYPE a [',
  '<a>',
  '&lt;',
  '<?x ',
  '<file name="a.gdml"/>',
  '<!ENTITY a SYSTEM "a">',
];

function simC(random: Random): Files {
  const geometry = random() < 0.5 ? '<gdml/>' : `<gdml>${repeated(pick(MARKUP, random), size(random))}</gdml>`;
  return {
    'geometry.gdml': geometry,
    'run.mac': '/control/execute a.mac\n/run/beamOn 100\n',
    ...pick(MACROS, random)(random),
  };
}

function simD(random: Random): Files {
  const line = pick(
    [
      (at: number) => `d:Ge/A${at}/HLX = Ge/A${at + 1}/HLX\n`,
      (at: number) => `i:So/Beam${at % 7}/NumberOfHistoriesInRun = ${at}\n`,
      (at: number) => `s:Sc/A${at}/OutputFile = "${'x'.repeat(40)}"\n`,
      () => `dv:Tf/A/Values = 100 ${'1 '.repeat(2_000)}mm\n`,
      () => 's:A/B = "no end\n',
      () => '# a comment\n',
      (at: number) => `includeFile = part${at % 50}.txt\n`,
    ],
    random,
  );
  const lines = (count: number) => times(count, line).join('');
  const main = `s:So/Beam/Type = "Beam"\ni:So/Beam/NumberOfHistoriesInRun = 100\n${lines(between(random, 1, 20_000))}`;
  const parts = times(between(random, 1, 50), (at): [string, string] => [
    `part${at}.txt`,
    `includeFile = part${at + 1}.txt\n${lines(between(random, 1, 200))}`,
  ]);
  return Object.fromEntries<string>([['main.txt', main], ...parts]);
}

export function drawDeck(random: Random): AwkwardDeck {
  const kinds = { simA, simB, simC, simD };
  const [simType, make] = pick(Object.entries(kinds), random);
  return { what: `files of ${simType}`, simType: simType as AwkwardDeck['simType'], simData: make(random) };
}
