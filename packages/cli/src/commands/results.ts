import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatReading, type Input } from '@tally/client';
import type { Command } from 'commander';
import { answer, type CommonOptions, type Context, clientOf } from '../context.js';
import { EXIT, UserError } from '../exit-codes.js';
import { describe, isFinal, type Line, linesOf, type Results, readLine, statusOf } from '../job.js';
import { resolveJobId } from '../job-id.js';
import { downloadFile, type OutOptions, permitOverwriting } from '../out-file.js';
import { plot, table } from '../terminal/plot.js';

const FOLLOW_MS = 1_000;

export const FORMATS = ['csv', 'json', 'hdf5', 'npz', 'dicom', 'float64'] as const;
const TEXTS: readonly string[] = ['csv', 'json'];

interface PageOptions extends CommonOptions {
  readonly estimator?: string;
  readonly page?: string;
  readonly unit?: string;
}

type FileOptions = CommonOptions & OutOptions;

interface ResultsOptions extends PageOptions, FileOptions {
  readonly format: string;
  readonly axis?: string;
  readonly index?: string;
  readonly sum?: string;
  readonly description?: boolean;
  readonly histories?: boolean;
  readonly scale?: string;
}

type ResultsUnit = NonNullable<NonNullable<Input<'GET', '/results'>['query']>['unit']>;

function read(context: Context, jobId: string, options: PageOptions): Promise<Results> {
  const query = {
    job_id: jobId,
    ...(options.estimator === undefined ? {} : { estimator_name: options.estimator }),
    ...(options.page === undefined ? {} : { page_number: Number(options.page) }),
    ...(options.unit === undefined ? {} : { unit: options.unit as ResultsUnit }),
    effective_histories: 'true' as const,
  };
  return clientOf(context, options).request('GET', '/results', { query });
}

/** Results as the service makes them, in any of its formats; a file grows as it comes and has its name when it is whole. */
async function results(context: Context, given: string, options: ResultsOptions): Promise<void> {
  const { estimator, page, axis, index, sum, unit, scale, out } = options;
  const format = options.json === true ? 'json' : options.format;
  if (!FORMATS.some((known) => known === format)) throw new UserError(`--format must be one of ${FORMATS.join(', ')}`);
  if (out === undefined && !TEXTS.includes(format) && context.isTerminal) {
    throw new UserError(`${format} is not text: give a file by --out`);
  }
  const jobId = await resolveJobId(clientOf(context, options), given);
  const flag = (isSet: boolean | undefined) => (isSet === true ? 'true' : undefined);
  const asked = {
    estimator_name: estimator,
    page_number: page,
    axis,
    index,
    sum,
    unit,
    scale,
    effective_histories: flag(options.histories),
    description: flag(options.description),
  };
  const wanted = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams([['job_id', jobId], ['format', format], ...wanted]);
  await download(context, options, `/results?${query.toString()}`);
}

/** Writes what comes, to the file of `out` unless there is none. */
async function download(context: Context, options: FileOptions, path: string): Promise<void> {
  const { out } = options;
  if (out !== undefined) return downloadFile(context, clientOf(context, options), { ...options, out }, path);
  const { body } = await clientOf(context, options).download(path);
  for await (const chunk of body) context.write(chunk);
}

/** The job with all that it was given and gave. */
async function crate(
  context: Context,
  job: string,
  options: FileOptions & { readonly format?: string; readonly license?: string },
): Promise<void> {
  const { format, license } = options;
  const jobId = await resolveJobId(clientOf(context, options), job);
  const given = Object.entries({ format, license }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const query = new URLSearchParams([['job_id', jobId], ...given]);
  await download(context, { ...options, out: options.out ?? `${jobId}.crate.zip` }, `/jobs/crate?${query.toString()}`);
}

/** The curve and what a physicist reads off it. */
export function drawLine(
  { estimator, page, axis }: Line,
  { primaries, engine, partial, description, warnings = [] }: Results,
): string {
  const { values, errors = [], unit } = page.data;
  const label = (name: string, of: string) => (of === '' ? name : `${name} / ${of}`);
  const lines = [
    `  ${estimator}, ${page.name}: ${primaries} primaries${partial ? ', partial' : ''}, computed by ${engine}`,
    ...(description === undefined ? [] : [`  ${description.title}`, `  ${describe(description)}`]),
    ...warnings.map(({ message }) => `  warning: ${message}`),
    '',
    plot({ x: axis.centres, values, errors, xLabel: label(axis.name, axis.unit), yLabel: unit }),
  ];
  const read = readLine({ estimator, page, axis });
  const shown = read.filter(({ name }) => name !== 'mean_error');
  if (shown.length > 0) lines.push('', ...shown.map((one) => `  ${one.name.padEnd(16)} ${formatReading(one)}`));
  const [mean] = read.filter(({ name }) => name === 'mean_error');
  if (mean !== undefined)
    lines.push(`  mean standard error of the bins above half of the maximum: ${(100 * mean.value).toFixed(2)} %`);
  lines.push(...historiesWords(page.data.effective_histories ?? []));
  return lines.join('\n');
}

/** Fewer effective histories leave an error that says little (docs/results.md). */
const HISTORIES_FEW = 10;

/** From how many histories the values of a curve are; nothing where that is not known. */
function historiesWords(all: readonly (number | null)[]): string[] {
  const known = all.filter((count) => count !== null);
  if (known.length === 0) return [];
  const few = all.filter((count) => (count ?? 0) < HISTORIES_FEW).length;
  const [least, most] = [Math.min(...known), Math.max(...known)].map((count) => Number(count.toPrecision(3)));
  return [`  effective histories: ${least} to ${most} a bin, below ${HISTORIES_FEW} in ${few} of ${all.length} bins`];
}

async function draw(context: Context, given: string, options: PageOptions): Promise<void> {
  const jobId = await resolveJobId(clientOf(context, options), given);
  const all = await read(context, jobId, options);
  const [line] = linesOf(all);
  if (line === undefined)
    throw new UserError('the job has no results of one axis; "tally results" has the others', EXIT.notFound);
  const { errors, values } = line.page.data;
  answer(
    context,
    options,
    {
      estimator: line.estimator,
      page: line.page.name,
      unit: line.page.data.unit,
      axis: line.axis,
      values,
      errors,
      effective_histories: line.page.data.effective_histories,
      readings: Object.fromEntries(readLine(line).map(({ name, ...reading }) => [name, reading])),
    },
    () => drawLine(line, all),
  );
}

interface LogOptions extends CommonOptions {
  readonly task?: string;
  readonly follow?: boolean;
}

async function logs(context: Context, given: string, options: LogOptions): Promise<void> {
  const client = clientOf(context, options);
  const jobId = await resolveJobId(client, given);
  const wanted =
    options.task === undefined ? undefined : /^\d+$/.test(options.task) ? `task_${options.task}` : options.task;
  const written = new Map<string, number>();
  for (;;) {
    const isLast = options.follow !== true || isFinal((await statusOf(client, jobId)).job_state);
    const { logfiles } = await client.request('GET', '/logfiles', { query: { job_id: jobId } });
    const shown = Object.entries(logfiles).filter(([name]) => wanted === undefined || name === wanted);
    if (wanted !== undefined && shown.length === 0 && isLast)
      throw new UserError(`the job has no log ${wanted}`, EXIT.notFound);
    if (options.json === true) return context.say(JSON.stringify(Object.fromEntries(shown), null, 2));
    for (const [name, text] of shown) {
      const from = written.get(name) ?? 0;
      if (text.length <= from) continue;
      context.write(
        `${shown.length > 1 ? `==> ${name} <==\n` : ''}${text.slice(from)}${text.endsWith('\n') ? '' : '\n'}`,
      );
      written.set(name, text.length);
    }
    if (isLast) return;
    await sleep(FOLLOW_MS);
  }
}

async function inputs(context: Context, job: string, options: FileOptions): Promise<void> {
  const client = clientOf(context, options);
  const jobId = await resolveJobId(client, job);
  const given = await client.request('GET', '/inputs', { query: { job_id: jobId } });
  const files: Record<string, string> =
    given.input_type === 'files'
      ? given.input
      : { 'project.json': `${JSON.stringify(given.input, null, 2)}\n`, ...given.files };
  const { out } = options;
  if (out === undefined) {
    return answer(context, options, given, () =>
      Object.entries(files)
        .map(([name, text]) => `==> ${name} <==\n${text}`)
        .join('\n'),
    );
  }
  const fileOf = (name: string) => path.join(out, path.basename(name));
  await permitOverwriting(context, options, Object.keys(files).map(fileOf));
  fs.mkdirSync(out, { recursive: true });
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(fileOf(name), text);
  answer(context, options, { files: Object.keys(files) }, () =>
    table(
      ['FILE'],
      Object.keys(files).map((name) => [fileOf(name)]),
    ),
  );
}

/** results, crate, plot, logs, inputs. */
export function addResultCommands(program: Command, context: Context): void {
  const page = (command: Command) =>
    command
      .option('-e, --estimator <name>', 'only this estimator')
      .option('--page <n>', 'only this page')
      .option('--unit <unit>', 'of values that can be told in it, for example keV/um, MeV/cm or Gy');
  page(program.command('results <job>').description('Results as CSV, JSON, HDF5, NPZ, DICOM RT Dose or float64'))
    .option('-f, --format <name>', FORMATS.join(', '), 'csv')
    .option('-o, --out <file>', 'write this file')
    .option('--force', 'overwrite it')
    .option('--axis <n>', 'axes of which --index says the bins, from 0, for example 2')
    .option('--index <bins>', 'a bin of each of them, or a range, for example 40 or 10-20')
    .option('--sum <axes>', 'sum along these axes')
    .option('--description', 'begin CSV with lines of # that say what was simulated')
    .option('--histories', 'with the effective number of histories of each bin')
    .option('--scale <n>', 'dicom: the dose of so many primaries, for example 1e9')
    .addHelpText(
      'after',
      `
Examples:
  $ tally results @last --estimator depth_dose --page 1
  $ tally results @last --format npz --out dose.npz
  $ tally results @last --estimator dose_map --axis 1 --index 40 --format json`,
    )
    .action((job: string, _, command: Command) => results(context, job, command.optsWithGlobals()));
  program
    .command('crate <job>')
    .description('The whole job as an RO-Crate: submission, deck, results, and where they are from')
    .option('-f, --format <name>', 'of the results: hdf5, npz or csv', 'hdf5')
    .option('-o, --out <file>', 'write this file instead of <job>.crate.zip')
    .option('--force', 'overwrite it')
    .option('--license <address>', 'under which others may use it')
    .action((job: string, _, command: Command) => crate(context, job, command.optsWithGlobals()));
  page(program.command('plot <job>').description('Draw a curve with its error band in the terminal')).action(
    (job: string, _, command: Command) => draw(context, job, command.optsWithGlobals()),
  );
  program
    .command('logs <job>')
    .description('What the simulators wrote')
    .option('-f, --follow', 'go on until the job has ended')
    .option('-t, --task <n>', 'of this task only')
    .action((job: string, _, command: Command) => logs(context, job, command.optsWithGlobals()));
  program
    .command('inputs <job>')
    .description('What was submitted, and the deck made of it')
    .option('-o, --out <folder>', 'write files')
    .option('--force', 'overwrite them')
    .action((job: string, _, command: Command) => inputs(context, job, command.optsWithGlobals()));
}
