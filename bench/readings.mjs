// Bias and coverage of the readings of curves (docs/results.md): of simulated jobs of 500, 5000 and 50 000 primaries how far readings are from
// those of all histories, in units of their mean error, and how often one error holds these. Beams are those of examples/, with their bins.
// node bench/readings.mjs [seeds, default 200] [primaries simulated of each beam, default 400000] [tasks of a job, default 20] [folder that
// keeps what was simulated]. Needs a build (pnpm build).
//
// Each beam is simulated once, in units of 25 primaries. A job is as many units as it has primaries, drawn with replacement (Efron, Ann. Stat. 7
// (1979) 1): jobs are then independent samples of a beam whose true readings are those of all units.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { layoutPages } from '../packages/engine/dist/src/scoring/page-layout.js';
import { readTallyLayout } from '../packages/engine/dist/src/scoring/tally-layout.js';
import { TaskSums } from '../packages/engine/dist/src/scoring/task-sums.js';
import { loadTransportModule, setupCalls } from '../packages/engine/dist/src/transport/setup-calls.js';
import { compileTransportModule } from '../packages/engine/dist/src/transport/transport-module.js';
import { mergePage, readings } from '../packages/merge/dist/src/index.js';
import { convertProject, describeProject, findDriver, readProject } from '../packages/simulators/dist/src/index.js';

const [seeds = 200, primaries = 400_000, tasks = 20] = process.argv.slice(2, 5).map(Number);
const folder = process.argv[5];

const UNIT = 25;
const LEVELS = [500, 5000, 50_000];
const BEAMS = [
  ['protons, 150 MeV', 'proton-150mev-water'],
  ['protons, SOBP', 'proton-sobp-water'],
  ['carbon, 270 MeV/u', 'carbon-270mevu-water'],
  ['electrons, 12 MeV', 'electron-12mev-water'],
];
/** Outputs that are curves of dose. */
const CURVES = ['depth_dose', 'lateral_profile'];
/** Of the goals: bias in mean errors, and coverage. */
const [BIAS_MAX, COVERAGE_MIN, COVERAGE_MAX] = [1 / 3, 0.63, 0.73];

/** A project of examples/ with its doses over one axis alone. */
function readBeam(file) {
  const json = JSON.parse(readFileSync(path.join(import.meta.dirname, '../examples', `${file}.json`), 'utf8'));
  const project = readProject(json.input?.inputJson ?? json);
  const { files } = convertProject(findDriver('simA', 'editor'), project, 'omit');
  const problem = JSON.parse(files['problem.json']);
  const outputs = problem.outputs
    .filter(({ name }) => CURVES.includes(name))
    .map((output) => ({ ...output, quantities: output.quantities.filter(({ name }) => name === 'Dose') }));
  return { problem: { ...problem, outputs }, description: describeProject(project, 'simA') };
}

/** The sums of each unit in turn: of each page an array with all of its bins, then all of their squares, for each unit. */
function simulateUnits(problem) {
  const layouts = layoutPages(problem);
  const calls = setupCalls(problem);
  const tally = readTallyLayout(loadTransportModule(calls), layouts);
  const abort = () => {
    throw new Error('the transport module stopped');
  };
  const { exports: engine } = new WebAssembly.Instance(compileTransportModule(), { env: { abort } });
  for (const [name, ...values] of calls) engine[name](...values);
  engine.prepare();
  const units = Math.floor(primaries / UNIT);
  const numbers = layouts.map(({ bins }) => new Float64Array(units * 2 * bins));
  let before = layouts.map(({ bins }) => [new Float64Array(bins), new Float64Array(bins)]);
  for (let unit = 0; unit < units; unit += 1) {
    engine.clearTotals();
    engine.run(50, 0, unit * UNIT, UNIT);
    const sums = readSums(engine, layouts, tally);
    for (const [page, { bins }] of layouts.entries())
      for (const [moment, all] of sums[page].entries())
        for (let bin = 0; bin < bins; bin += 1)
          numbers[page][(2 * unit + moment) * bins + bin] = all[bin] - before[page][moment][bin];
    before = sums;
  }
  return numbers;
}

/** The moments of each page by now. */
function readSums(engine, layouts, tally) {
  const sums = new TaskSums(layouts, tally);
  for (const [group, { stride, blockBins }] of tally.groups.entries()) {
    const count = engine.scoredBlocks(group);
    const pointer = engine.writeBlocks(group, 0, count);
    const blocks = new Int32Array(engine.memory.buffer, engine.scoredBlocksPointer(group), count).slice();
    const total = count * blockBins * stride;
    sums.add({ group, blocks, numbers: new Float64Array(engine.memory.buffer, pointer, total).slice() });
  }
  return layouts.map((_, page) => sums.page(page).moments);
}

/** As {@link simulateUnits}, from the folder where it was done before. */
function unitsOf(file, problem) {
  const kept = folder && path.join(folder, `${file}-${primaries}.f64`);
  const sizes = layoutPages(problem).map(({ bins }) => Math.floor(primaries / UNIT) * 2 * bins);
  if (kept && existsSync(kept)) {
    const bytes = readFileSync(kept);
    let at = bytes.byteOffset;
    return sizes.map((size) => new Float64Array(bytes.buffer, (at += 8 * size) - 8 * size, size));
  }
  const numbers = simulateUnits(problem);
  if (kept) writeFileSync(kept, Buffer.concat(numbers.map((all) => Buffer.from(all.buffer))));
  return numbers;
}

/** Mulberry32: whole numbers below a bound from a 32-bit seed. */
function randomOf(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * bound);
  };
}

/** The part that a task of some units has of a page. */
function partOf(numbers, bins, chosen) {
  const moments = [new Float64Array(bins), new Float64Array(bins)];
  for (const unit of chosen)
    for (const [moment, sum] of moments.entries())
      for (let bin = 0, at = (2 * unit + moment) * bins; bin < bins; bin += 1, at += 1) sum[bin] += numbers[at];
  const count = chosen.length * UNIT;
  return { primaries: count, batches: count, moments };
}

/** What is read off the merged page of some tasks, as the service does it. */
function readParts({ header }, parts, description) {
  const { values, errors } = mergePage(header, parts);
  const { pageName: name, unit, axes } = header;
  const axis = axes.find(({ centers }) => centers.length > 1);
  const batches = parts.map((part) => ({ share: 1 / parts.length, values: mergePage(header, [part]).values }));
  return readings({ name, unit, axis, values, errors, batches }, description);
}

/** How the readings of jobs of some primaries are spread. */
function judge(layout, numbers, description, level) {
  const units = Math.floor(primaries / UNIT);
  const all = partOf(
    numbers,
    layout.bins,
    Array.from({ length: units }, (_, unit) => unit),
  );
  const truth = readParts(layout, [all], description);
  const random = randomOf(level);
  const perTask = level / UNIT / tasks;
  if (!Number.isInteger(perTask)) throw new Error(`${tasks} tasks of ${level} primaries are no units of ${UNIT}`);
  const found = Array.from({ length: seeds }, () => {
    const draw = () =>
      partOf(
        numbers,
        layout.bins,
        Array.from({ length: perTask }, () => random(units)),
      );
    return readParts(layout, Array.from({ length: tasks }, draw), description);
  });
  return truth
    .filter(({ name }) => name !== 'mean_error')
    .map(({ name, value: expected, unit }) => {
      const own = found.flatMap((one) => one.filter((reading) => reading.name === name));
      const known = own.filter(({ error }) => error !== null);
      const bias = own.reduce((sum, { value }) => sum + value - expected, 0) / own.length;
      const scatter = Math.sqrt(
        own.reduce((sum, { value }) => sum + (value - expected - bias) ** 2, 0) / (own.length - 1),
      );
      const error = known.reduce((sum, one) => sum + one.error, 0) / known.length;
      const held = known.filter((one) => Math.abs(one.value - expected) < one.error).length;
      return { name, value: expected, unit, shown: own.length, known: known.length, bias, scatter, error, held };
    });
}

/** Error, bias in errors, and coverage of a reading at a level; `!` beyond the goals by more than two of their own errors. */
function cellOf({ shown, known, bias, scatter, error, held }) {
  const [off, coverage] = [bias / (known === 0 ? scatter : error), held / known];
  const margin = 2 * Math.sqrt(0.22 / known);
  const isBiased = Math.abs(off) > BIAS_MAX + 2 / Math.sqrt(shown);
  const isMissed = isBiased || coverage < COVERAGE_MIN - margin || coverage > COVERAGE_MAX + margin;
  const words = known === 0 ? ['–'] : [error.toPrecision(2), `${(100 * coverage).toFixed(0)} %`];
  words.splice(1, 0, `${off < 0 ? '−' : '+'}${Math.abs(off).toFixed(2)}`);
  if (shown < seeds) words.push(`shown by ${((100 * shown) / seeds).toFixed(0)} %`);
  return `${words.join(', ')}${isMissed ? ' !' : ''}`;
}

console.log(
  `${seeds} jobs of ${tasks} tasks each, of ${primaries} histories of each beam: mean error, bias / mean error, coverage`,
);
console.log(`| Beam, curve | Reading | Value | ${LEVELS.map((level) => `${level} primaries`).join(' | ')} |`);
console.log(`|---|---|---|${LEVELS.map(() => '---|').join('')}`);
for (const [beam, file] of BEAMS) {
  const { problem, description } = readBeam(file);
  const numbers = unitsOf(file, problem);
  for (const [page, layout] of layoutPages(problem).entries()) {
    const curve = layout.header.estimatorName === 'depth_dose' ? 'depth' : 'lateral';
    const levels = LEVELS.map((level) => judge(layout, numbers[page], description, level));
    for (const [row, { name, value, unit }] of levels[0].entries()) {
      const cells = levels.map((all) => cellOf(all[row]));
      console.log(`| ${[`${beam}, ${curve}`, name, `${value.toPrecision(4)} ${unit}`.trim(), ...cells].join(' | ')} |`);
    }
  }
}
