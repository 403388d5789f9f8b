import { readFileSync } from 'node:fs';
import process from 'node:process';
import { runStandIn, standInValue } from './run-stand-in.js';
import { sayVersionIfAsked } from './say-version.js';

const UNITS: Readonly<Record<string, string>> = { DoseToMedium: 'Gy', EnergyDeposit: 'MeV', Fluence: '/mm2' };

sayVersionIfAsked('simD');
const main = process.argv.at(-1) ?? '';
/** Parameters by name, without type and quotes. */
const parameters = new Map(
  readFileSync(main, 'utf8')
    .split('\n')
    .flatMap((line): [string, string][] => {
      const [, name, value] = /^\s*[a-z]+:(\S+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value.replaceAll('"', '')]];
    }),
);
const seed = parameters.get('Ts/Seed') ?? '1';
const primaries = [...parameters]
  .filter(([name]) => name.endsWith('/NumberOfHistoriesInRun'))
  .reduce((sum, [, value]) => sum + Number(value), 0);

process.stdout.write('Welcome to TOPAS, Tool for Particle Simulation (Version 3.9)\n');
runStandIn({
  seed,
  primaries,
  printProgress(done) {
    process.stdout.write(`Begin processing for Run: 0, History: ${done}\n`);
  },
  writeOutputs() {
    const scorers = [...parameters.keys()].flatMap((name) => /^Sc\/(\w+)\/Quantity$/.exec(name)?.[1] ?? []);
    return new Map(
      scorers.map((scorer) => [`${parameters.get(`Sc/${scorer}/OutputFile`)}.csv`, Buffer.from(writeScorer(scorer))]),
    );
  },
});

/** Every history gives the known number, so that the deviation is 0. */
function writeScorer(scorer: string): string {
  const quantity = parameters.get(`Sc/${scorer}/Quantity`) ?? '';
  const component = parameters.get(`Sc/${scorer}/Component`) ?? '';
  const axes = ['X', 'Y', 'Z'].map((axis) => ({
    axis,
    bins: Number(parameters.get(`Ge/${component}/${axis}Bins`) ?? 1),
  }));
  const [nx = 1, ny = 1, nz = 1] = axes.map(({ bins }) => bins);
  const isBinned = nx * ny * nz > 1;
  const rows = [
    '# TOPAS Version: 3.9',
    `# Parameter File: ${main}`,
    `# Results for scorer: ${scorer}`,
    `# Scored in component: ${component}`,
    ...(isBinned ? axes.map(({ axis, bins }) => `# ${axis} in ${bins} ${bins === 1 ? 'bin ' : 'bins'} of 1 cm`) : []),
    `# ${quantity} ( ${UNITS[quantity] ?? ''} ) : Sum   Mean   Standard_Deviation`,
  ];
  for (let x = 0; x < nx; x += 1) {
    for (let y = 0; y < ny; y += 1) {
      for (let z = 0; z < nz; z += 1) {
        const value = standInValue(seed, x + nx * (y + ny * z));
        rows.push(`${isBinned ? `${x}, ${y}, ${z}, ` : ''}${value * primaries}, ${value}, 0`);
      }
    }
  }
  return `${rows.join('\n')}\n`;
}
