import { readFileSync } from 'node:fs';
import process from 'node:process';
import { runStandIn, standInValue } from './run-stand-in.js';
import { sayVersionIfAsked } from './say-version.js';

const UNITS: Readonly<Record<string, string>> = { DoseToMedium: 'Gy', EnergyDeposit: 'MeV', Fluence: '/mm2' };

sayVersionIfAsked('simD');
const main = process.argv.at(-1) ?? '';
const parameters = readParameters(main);
const parameterOf = (name: string): string => parameters.get(name.toLowerCase())?.value ?? '';
const seed = parameterOf('Ts/Seed') || '1';
const times = Number(parameterOf('Tf/NumberOfSequentialTimes') || 1);
/** Histories of each source in each run. */
const sources = [...parameters.values()]
  .filter(({ name }) => name.toLowerCase().endsWith('/numberofhistoriesinrun'))
  .map(({ name, value }) => ({ name: name.split('/')[1] ?? '', counts: countHistories(value) }));
const totalOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
const primaries = totalOf(sources.map(({ counts }) => totalOf(counts)));
/** In each event every source that is not done yet has a history. */
const eventsOf = (run: number): number => Math.max(...sources.map(({ counts }) => counts[run] ?? 0));
const events = totalOf(Array.from({ length: times }, (_, run) => eventsOf(run)));

process.stdout.write('Welcome to TOPAS, Tool for Particle Simulation (Version 3.9)\n');
runStandIn({
  seed,
  primaries,
  printProgress(done) {
    let event = Math.floor((done * events) / primaries);
    let run = 0;
    for (; run < times - 1 && event >= eventsOf(run); run += 1) event -= eventsOf(run);
    process.stdout.write(`Begin processing for Run: ${run}, History: ${event}\n`);
  },
  writeOutputs(simulated) {
    for (const [index, { name, counts }] of sources.entries()) {
      const total = totalOf(counts) + (index === 0 ? simulated - primaries : 0);
      process.stdout.write(`Particle source ${name}: Total number of histories: ${total}\n`);
    }
    const scorers = [...parameters.values()].flatMap(({ name }) => /^Sc\/(\w+)\/Quantity$/i.exec(name)?.[1] ?? []);
    return new Map(
      scorers.map((scorer) => [`${parameterOf(`Sc/${scorer}/OutputFile`)}.csv`, Buffer.from(writeScorer(scorer))]),
    );
  },
});

interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** Parameters by their names in small letters, without type and quotes; the including file wins. */
function readParameters(file: string): Map<string, Parameter> {
  const [included, own] = [new Map<string, Parameter>(), new Map<string, Parameter>()];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, left = '', right = ''] = /^\s*([^=#\s]+)\s*=\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? [];
    if (left.toLowerCase() === 'includefile') {
      for (const name of right.split(/\s+/)) for (const [key, one] of readParameters(name)) included.set(key, one);
    } else if (left !== '') {
      const name = left.replace(/^\w+:/, '');
      own.set(name.toLowerCase(), { name, value: right.replaceAll('"', '') });
    }
  }
  return new Map([...included, ...own]);
}

/** A number for every run, or the values of a time feature of steps, one for each run. */
function countHistories(value: string): number[] {
  const feature = /^(Tf\/.+)\/Value$/.exec(value)?.[1];
  if (feature === undefined) return Array.from({ length: times }, () => Number(value));
  return parameterOf(`${feature}/Values`).split(/\s+/).slice(1).map(Number);
}

/** Every primary gives the known number, those of an event together, so that the deviation is 0; rows as TOPAS 3 orders them. */
function writeScorer(scorer: string): string {
  const get = parameterOf;
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
    return [value * primaries, (value * primaries) / events, 0];
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
