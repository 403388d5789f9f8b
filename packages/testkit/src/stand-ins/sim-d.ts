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

/** Every history gives the known number, so that the deviation is 0; rows as TOPAS 3 orders them. */
function writeScorer(scorer: string): string {
  const get = (name: string): string => parameters.get(name) ?? '';
  const quantity = get(`Sc/${scorer}/Quantity`);
  const component = get(`Sc/${scorer}/Component`);
  const names = get(`Ge/${component}/Type`) === 'TsCylinder' ? ['R', 'Phi', 'Z'] : ['X', 'Y', 'Z'];
  const axes = names.map((axis) => ({ axis, bins: Number(get(`Ge/${component}/${axis}Bins`) || 1) }));
  const [nx = 1, ny = 1, nz = 1] = axes.map(({ bins }) => bins);
  const isBinned = nx * ny * nz > 1;
  const energyBins = Number(get(`Sc/${scorer}/EBins`) || 0);
  const rows = [
    '# TOPAS Version: 3.9',
    `# Parameter File: ${main}`,
    `# Results for scorer: ${scorer}`,
    `# Scored in component: ${component}`,
    ...(isBinned ? axes.map(({ axis, bins }) => `# ${axis} in ${bins} ${bins === 1 ? 'bin ' : 'bins'} of 1 cm`) : []),
    `# ${quantity} ( ${UNITS[quantity] ?? ''} ) : Sum   Mean   Standard_Deviation   `,
    ...(energyBins === 0 ? [] : spectrumLines(energyBins, get(`Sc/${scorer}/EBinMin`), get(`Sc/${scorer}/EBinMax`))),
  ];
  const group = (bin: number): readonly number[] => {
    const value = standInValue(seed, bin);
    return [value * primaries, value, 0];
  };
  const cells = nx * ny * nz;
  for (let x = 0; x < nx; x += 1) {
    for (let y = 0; y < ny; y += 1) {
      for (let z = 0; z < nz; z += 1) {
        const cell = x + nx * (y + ny * z);
        const spectrum = Array.from({ length: energyBins }, (_, bin) => group(cell + cells * bin));
        const values = energyBins === 0 ? group(cell) : [0, 0, 0, ...spectrum.flat(), 0, 0, 0];
        rows.push([...(isBinned && energyBins === 0 ? [x, y, z] : []), ...values].join(', '));
      }
    }
  }
  return `${rows.join('\n')}\n`;
}

/** Bins of the energy before each step: below and above them are groups of columns of their own. */
function spectrumLines(bins: number, min: string, max: string): string[] {
  const width = (Number.parseFloat(max) - Number.parseFloat(min)) / bins;
  const unit = max.split(' ').at(-1) ?? '';
  return [
    `# Binned by pre-step energy in ${bins} bins of ${width} ${unit} from ${min} to ${max}`,
    '# First bin is underflow, last bin is overflow.',
  ];
}
