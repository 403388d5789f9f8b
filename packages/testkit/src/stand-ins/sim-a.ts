import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { ByteBuilder } from './bytes.js';
import { runStandIn, standInValues } from './run-stand-in.js';
import { sayVersionIfAsked } from './say-version.js';

/** Normalisation classes: sums over histories, means of them, and phase space. */
const SUMS = 2;
const MEANS = 3;
const CONCATENATED = 4;
/** By keyword: what this stand-in can score. */
const QUANTITIES: Readonly<Record<string, readonly [type: number, unit: string, normalisation: number]>> = {
  Dose: [5, 'MeV/g', SUMS],
  DoseGy: [39, 'Gy', SUMS],
  Energy: [1, 'MeV', SUMS],
  Fluence: [2, '/cm^2', SUMS],
  dLET: [6, 'keV/um', MEANS],
  tLET: [7, 'keV/um', MEANS],
};
/** Detector type of phase space, and numbers of a particle. */
const PHASE_SPACE = 63;
const PARTICLE_NUMBERS = 8;

/** A block of `detect.dat`: its first words and the lines that belong to it. */
interface Block {
  readonly kind: string;
  readonly lines: readonly (readonly string[])[];
}

sayVersionIfAsked('simA');
const folder = process.argv.at(-1) ?? '.';
const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
const beam = new Map(
  read('beam.dat')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([key = '', ...rest]) => [key, rest]),
);
const seed = beam.get('RNDSEED')?.[0] ?? '1';
const primaries = Number(beam.get('NSTAT')?.[0]);
const blocks = readBlocks(read('detect.dat'));

process.stdout.write(`Version: 1.0.0-stand-in\nRequested number of primaries NSTAT : ${primaries}\n`);
runStandIn({
  seed,
  primaries,
  printProgress(done) {
    process.stdout.write(`Primary particle no. ${done} ETR: 0 hour(s) 0 minute(s) 1 second(s)\n`);
  },
  writeOutputs: (simulated) =>
    new Map(
      blocks
        .filter(({ kind }) => kind === 'Output')
        .map((block) => [
          path.join(folder, valueOf(block, 'Filename')[0] ?? 'unnamed.bdo'),
          writeEstimator(block, simulated),
        ]),
    ),
});
process.on('exit', () => process.stdout.write('Transport completed.\nRun time: 0 hour(s) 0 minute(s) 1 second(s)\n'));

function readBlocks(text: string): Block[] {
  const blocksOf: { kind: string; lines: string[][] }[] = [];
  for (const line of text.split('\n').filter((raw) => raw.trim() !== '')) {
    if (line.startsWith(' ')) blocksOf.at(-1)?.lines.push(line.trim().split(/\s+/));
    else blocksOf.push({ kind: line.trim(), lines: [] });
  }
  return blocksOf;
}

function valueOf({ lines }: Block, key: string): readonly string[] {
  return lines.find(([first]) => first === key)?.slice(1) ?? [];
}

function writeEstimator(output: Block, simulated: number): Buffer {
  const name = valueOf(output, 'Geo')[0];
  const geometry = blocks.find((block) => block.kind.startsWith('Geometry') && valueOf(block, 'Name')[0] === name);
  if (geometry === undefined) throw new Error(`no geometry ${name}`);
  const kind = geometry.kind.split(' ')[1] ?? '';
  const axes = { Mesh: ['X', 'Y', 'Z'], Cyl: ['R', '', 'Z'] }[kind] ?? [];
  const grid = axes.map((axis) =>
    (axis === '' ? ['0', String(2 * Math.PI), '1'] : valueOf(geometry, axis)).map(Number),
  );
  const column = (index: number): number[] => [0, 1, 2].map((axis) => grid[axis]?.[index] ?? (index === 2 ? 1 : 0));
  const builder = new ByteBuilder().text('xSH12A', 6).text('II', 2).text('1.1', 16);
  integers(builder, 0x0005, [2]);
  integers(builder, 0xaa00, [simulated]);
  words(builder, 0xe000, { Mesh: 'MSH', Cyl: 'CYL' }[kind] ?? 'ZONE');
  reals(builder, 0xe002, column(0));
  reals(builder, 0xe003, column(1));
  integers(builder, 0xe004, column(2));
  const quantities = output.lines.filter(([key]) => key === 'Quantity').map(([, keyword = '']) => keyword);
  const bins = column(2).reduce((product, count) => product * count, 1);
  integers(builder, 0xee02, [quantities.length]);
  for (const [index, keyword] of quantities.entries()) writePage(builder, index, keyword, bins);
  return builder.build();
}

function writePage(builder: ByteBuilder, index: number, keyword: string, bins: number): void {
  if (keyword === 'MCPL') return writePhaseSpace(builder, index);
  const quantity = QUANTITIES[keyword];
  if (quantity === undefined) throw new Error(`the stand-in does not score ${keyword}`);
  const [type, unit, normalisation] = quantity;
  integers(builder, 0xdd30, [type]);
  integers(builder, 0xdd31, [index]);
  integers(builder, 0xdd32, [normalisation]);
  words(builder, 0xddbc, unit);
  const histories = normalisation === SUMS ? primaries : 1;
  reals(
    builder,
    0xddbb,
    standInValues(seed, bins).map((value) => value * histories),
  );
}

/** A particle for each history; their energies, the last of their numbers, come from the seed. */
function writePhaseSpace(builder: ByteBuilder, index: number): void {
  integers(builder, 0xdd30, [PHASE_SPACE]);
  integers(builder, 0xdd31, [index]);
  integers(builder, 0xdd32, [CONCATENATED]);
  const particles = standInValues(seed, primaries).flatMap((energyMev, history) => [
    2212,
    history,
    0,
    0,
    0,
    0,
    1,
    energyMev,
  ]);
  if (particles.length !== primaries * PARTICLE_NUMBERS) throw new Error('a particle has eight numbers');
  reals(builder, 0xddbb, particles);
}

function words(builder: ByteBuilder, tag: number, text: string): void {
  const sizeBytes = 8 * Math.ceil((text.length + 1) / 8);
  builder.int64(tag).text(`S${sizeBytes}`, 8).int64(1).text(text, sizeBytes);
}

function integers(builder: ByteBuilder, tag: number, values: readonly number[]): void {
  builder
    .int64(tag)
    .text('<i8', 8)
    .int64(values.length, ...values);
}

function reals(builder: ByteBuilder, tag: number, values: readonly number[]): void {
  builder
    .int64(tag)
    .text('<f8', 8)
    .int64(values.length)
    .float64(...values);
}
