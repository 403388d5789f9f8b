import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { inspect, parseArgs } from 'node:util';

import { encodeTaskOutput, type TaskOutput } from '@tally/merge';

import { type Fault, ProblemError } from '../fault.js';
import { findWarnings } from '../problem/problem-warnings.js';
import { parseProblem, parseTask, validateProblem, validateTask } from '../problem/validate-problem.js';
import { simulate } from '../simulate.js';
import { ENGINE_VERSION } from '../version.js';

const EXIT_FAILED = 1;
const EXIT_FAULTY = 2;
const EXIT_TERMINATED = 143;

interface Arguments {
  readonly problem: string;
  readonly task: string;
  readonly output: string;
  readonly threads: number;
  readonly stopOnStdinEnd: boolean;
  /** Ends early with what it has simulated once there is a file of this name. */
  readonly finishFile: string | undefined;
}

/** Between two looks at the finish file. */
const FINISH_LOOK_MS = 200;

function readArguments(argv: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      problem: { type: 'string' },
      task: { type: 'string' },
      output: { type: 'string' },
      threads: { type: 'string', default: '1' },
      'stop-on-stdin-end': { type: 'boolean', default: false },
      'finish-file': { type: 'string' },
    },
  });
  const { problem, task, output } = values;
  const threads = Number(values.threads);
  if (
    problem === undefined ||
    task === undefined ||
    output === undefined ||
    !(Number.isInteger(threads) && threads > 0)
  ) {
    throw new Error(
      'Usage: tally-engine --problem <file> --task <file> --output <file> [--threads <number>] [--finish-file <file>] [--stop-on-stdin-end]',
    );
  }
  return {
    problem,
    task,
    output,
    threads,
    stopOnStdinEnd: values['stop-on-stdin-end'],
    finishFile: values['finish-file'],
  };
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProblemError([{ path: file, message: `not JSON: ${reason}` }]);
  }
}

function placed(file: string, faults: readonly Fault[]): Fault[] {
  return faults.map(({ path, message }) => ({ path: `${file}: ${path}`, message }));
}

function writeReport({ counters, primaries }: TaskOutput): void {
  const mean = (name: string) => ((counters[name] ?? 0) / primaries).toFixed(6);
  process.stdout.write(
    `energy MeV/primary: started ${mean('startedMev')} deposited ${mean('depositedMev')} ` +
      `escaped ${mean('escapedMev')} neutral ${mean('neutralMev')} lost ${mean('lostMev')}\n`,
  );
  const { lostParticles = 0, imbalancedHistories = 0 } = counters;
  if (lostParticles > 0) process.stdout.write(`warning: ${lostParticles} particles were lost in the geometry\n`);
  if (imbalancedHistories > 0)
    process.stdout.write(`warning: energy does not balance in ${imbalancedHistories} histories\n`);
}

/** Under its final name there is never half a file. */
async function writeOutput(file: string, output: TaskOutput): Promise<void> {
  const partial = `${file}.partial-${process.pid}`;
  try {
    await writeFile(partial, encodeTaskOutput(output));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Aborts when the file is there; looks until `work` has ended. */
async function untilFinishFile<T>(file: string | undefined, work: (finish: AbortSignal) => Promise<T>): Promise<T> {
  const finish = new AbortController();
  const look = () => {
    if (file !== undefined && existsSync(file)) finish.abort();
  };
  look();
  const timer = setInterval(look, FINISH_LOOK_MS);
  try {
    return await work(finish.signal);
  } finally {
    clearInterval(timer);
  }
}

async function run(argv: readonly string[]): Promise<void> {
  const args = readArguments(argv);
  process.stdout.write(`tally-engine ${ENGINE_VERSION}\n`);
  if (args.stopOnStdinEnd) process.stdin.on('close', () => process.exit(EXIT_FAILED)).resume();
  const [problemJson, taskJson] = await Promise.all([readJson(args.problem), readJson(args.task)]);
  const problem = parseProblem(problemJson);
  const task = parseTask(taskJson);
  if (problem === undefined || task === undefined) {
    throw new ProblemError([
      ...placed(args.problem, validateProblem(problemJson)),
      ...placed(args.task, validateTask(taskJson)),
    ]);
  }
  for (const { message } of findWarnings(problem)) process.stdout.write(`warning: ${message}\n`);
  const start = performance.now();
  const output = await untilFinishFile(args.finishFile, (finish) =>
    simulate(problem, task, {
      threads: args.threads,
      onProgress: (done, total) => process.stdout.write(`progress ${done} ${total}\n`),
      finish,
    }),
  );
  writeReport(output);
  await writeOutput(args.output, output);
  process.stdout.write(`done ${output.primaries} ${((performance.now() - start) / 1000).toFixed(3)}\n`);
}

/**
 * The engine's command, in this process: reads its files, prints, sets the exit code.
 * @param argv - its options, without Node and script
 */
export async function runEngineCommand(argv: readonly string[]): Promise<void> {
  process.on('SIGTERM', () => process.exit(EXIT_TERMINATED));
  try {
    await run(argv);
  } catch (error) {
    let reason: unknown = error;
    for (; reason instanceof Error; reason = reason.cause) process.stderr.write(`${reason.message}\n`);
    if (reason !== undefined) process.stderr.write(`${inspect(reason)}\n`);
    process.exitCode = error instanceof ProblemError ? EXIT_FAULTY : EXIT_FAILED;
  } finally {
    // the end of stdin is no longer waited for
    process.stdin.removeAllListeners().destroy();
  }
}
