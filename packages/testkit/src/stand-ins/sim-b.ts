import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { ByteBuilder } from './bytes.js';
import { runStandIn, standInValues } from './run-stand-in.js';
import { sayVersionIfAsked } from './say-version.js';

const FIELD_WIDTH = 10;
const FIELDS = 8;
const REGION_BINNING = 12;
/** Numbers of scored quantities by their names. */
const QUANTITIES: Readonly<Record<string, number>> = { DOSE: 228, ENERGY: 208, 'ALL-PART': 201, PROTON: 1 };

sayVersionIfAsked('simB');
const input = process.argv.at(-1) ?? '';
const stem = path.basename(input, '.inp');
const cards = readFileSync(input, 'utf8')
  .split('\n')
  .map((line) =>
    Array.from({ length: FIELDS }, (_, field) => line.slice(field * FIELD_WIDTH, (field + 1) * FIELD_WIDTH).trim()),
  );
const card = (codeword: string): readonly string[] => cards.find(([first]) => first === codeword) ?? [];
const primaries = Number(card('START')[1]);
const seed = String(Math.round(Number(card('RANDOMIZ')[2])));
const ownFolder = `fluka_${process.pid}`;
const growing = path.join(ownFolder, `${stem}001.out`);

process.stdout.write(`Running fluka in ${ownFolder}\nRunning FLUKA for cycle # 1\n`);
mkdirSync(ownFolder);
runStandIn({
  seed,
  primaries,
  printProgress(done) {
    appendFileSync(
      growing,
      ` NEXT SEEDS:  0 0 0 0 0 0\n ${done}  ${primaries - done}  ${primaries - done}  1.0E-04  1.0E+30  ${done}\n`,
    );
  },
  writeOutputs(simulated) {
    appendFileSync(growing, ' All cases handled by Feeder\n');
    appendFileSync(growing, ` Total number of primaries run:  ${simulated} for a weight of:  ${simulated}.\n`);
    const units = [...new Set(readDetectors().map(({ unit }) => unit))];
    return new Map(units.map((unit) => [`${stem}001_fort.${unit}`, writeUnit(unit, simulated)]));
  },
});

interface Detector {
  readonly unit: number;
  readonly name: string;
  readonly binning: number;
  readonly quantity: number;
  /** Lower and upper limit and number of bins of three axes. */
  readonly axes: readonly (readonly [number, number, number])[];
}

/** Pairs of USRBIN cards. */
function readDetectors(): Detector[] {
  const lines = cards.filter(([codeword]) => codeword === 'USRBIN');
  return lines.flatMap((first, index): Detector[] => {
    const second = lines[index + 1] ?? [];
    if (first.at(-1) === '&') return [];
    const [, binning, quantity = '', unit, ...highs] = first;
    const isRegion = Number(binning) === REGION_BINNING;
    const axes = [0, 1, 2].map((axis) => {
      const [low, high, bins] = [Number(second[1 + axis]), Number(highs[axis]), Number(second[4 + axis])];
      return isRegion ? ([1, 1, 1] as const) : ([low, high, bins] as const);
    });
    return [
      {
        unit: -Number(unit),
        name: first.at(-1) ?? '',
        binning: Number(binning),
        quantity: QUANTITIES[quantity] ?? 0,
        axes,
      },
    ];
  });
}

function writeUnit(unit: number, simulated: number): Buffer {
  const builder = new ByteBuilder();
  record(builder, (head) =>
    head
      .text(stem, 80, ' ')
      .text('', 32, ' ')
      .float32(simulated)
      .int32(simulated % 1e9, Math.floor(simulated / 1e9), 1),
  );
  for (const [index, detector] of readDetectors()
    .filter((one) => one.unit === unit)
    .entries()) {
    record(builder, (head) => {
      head
        .int32(index + 1)
        .text(detector.name, 10, ' ')
        .int32(detector.binning, detector.quantity);
      for (const [low, high, bins] of detector.axes)
        head
          .float32(low, high)
          .int32(bins)
          .float32((high - low) / bins);
      head.int32(0).float32(0, 0, 1e30);
    });
    const bins = detector.axes.reduce((product, [, , count]) => product * count, 1);
    record(builder, (data) => data.float32(...standInValues(seed, bins)));
  }
  return builder.build();
}

function record(builder: ByteBuilder, write: (payload: ByteBuilder) => void): void {
  const payload = new ByteBuilder();
  write(payload);
  const bytes = payload.build();
  builder.int32(bytes.length).bytes(bytes).int32(bytes.length);
}
