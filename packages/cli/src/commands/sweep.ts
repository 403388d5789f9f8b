import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { applyTemplate, formatReading, type TallyClient, templateFaults } from '@tally/client';
import type { Command } from 'commander';
import { type Context, clientOf, urlOf } from '../context.js';
import { EXIT, UserError } from '../exit-codes.js';
import { isFinal, linesOf, type Reading, readLine, type State, statusOf } from '../job.js';
import { readSource, templateOf, titleOf } from '../source.js';
import { addJob, createSweep, readSweep, type SweepRecord, type Value } from '../sweep/record.js';
import { unitOfPlace } from '../sweep/units.js';
import { assign, combinations, readAssignment, readParameter } from '../sweep/values.js';
import { progressBar, table } from '../terminal/plot.js';
import { addSubmitOptions, changed, type SubmitOptions, submitJob, TITLE_LENGTH_MAX } from './submit.js';

const POLL_MS = 1_000;

interface SweepOptions extends SubmitOptions {
  readonly wait: boolean;
  readonly label?: string;
  readonly attach?: string;
}

/** What one job of a sweep gave. */
interface SweepRow {
  readonly values: readonly Value[];
  readonly jobId: string;
  readonly state: State;
  readonly readings: readonly Reading[];
}

/** The project that is varied, and the parameters that its template has; none, where it is from a file. */
async function readBase(client: TallyClient, file: string | undefined, { template, param }: SweepOptions) {
  if (template !== undefined) {
    if (file !== undefined) throw new UserError(`give either a project or --template, not both: ${file}`);
    const { title, parameters, project } = await templateOf(client, template);
    return { title, parameters, project };
  }
  if (param.length > 0) throw new UserError('--param is for templates: give --template <name>, or --set for a project');
  const { source } = readSource(file === undefined ? [] : [file]);
  if (source.input_type !== 'editor') throw new UserError('sweep takes a project of the editor (.json) or a template');
  return { title: titleOf(source.sim_data) ?? 'Sweep', parameters: [], project: source.sim_data };
}

const HOW_MEMBERS = [
  'sim',
  'tasks',
  'seed',
  'group',
  'cluster',
  'schedulerOptions',
  'omitUnsupported',
  'target',
  'targetEstimator',
  'targetPage',
  'maxPrimaries',
] as const satisfies readonly (keyof SubmitOptions)[];

/** Plans a sweep: everything is checked before the first job is sent, so that a misspelt name leaves no jobs behind. */
async function plan(context: Context, client: TallyClient, file: string | undefined, options: SweepOptions) {
  const base = await readBase(client, file, options);
  const params = options.param.map(readParameter);
  const sets = options.set.map(readAssignment);
  if (params.length + sets.length === 0)
    throw new UserError('sweep needs --set path=from:to:step, or --template with --param name=from:to:step');
  const { source } = changed(
    { source: { input_type: 'editor', sim_data: base.project }, submission: {} },
    { set: [], ...(options.primaries === undefined ? {} : { primaries: options.primaries }) },
  );
  const record = {
    label: options.label ?? `sweep-${randomBytes(3).toString('hex')}`,
    url: urlOf(context, options),
    title: options.title ?? base.title,
    columns: [
      ...params.map(({ name }) => {
        const unit = base.parameters.find((one) => one.name === name)?.unit ?? '';
        return { kind: 'param' as const, name, unit };
      }),
      ...sets.map(({ path }) => {
        const name = path.join('.');
        return { kind: 'set' as const, name, unit: unitOfPlace(name, base.project) };
      }),
    ],
    project: source.sim_data as Record<string, unknown>,
    parameters: base.parameters,
    options: Object.fromEntries(HOW_MEMBERS.map((name) => [name, options[name]])),
    rows: combinations([...params, ...sets]),
    key: randomUUID(),
  };
  const faults = params.flatMap(({ name, values }) =>
    values.flatMap((value) => templateFaults(base.parameters, { [name]: value })),
  );
  if (faults.length > 0) throw new UserError([...new Set(faults.map(({ message }) => message))].join('\n'));
  for (const values of record.rows) projectOf(record, values);
  return record;
}

type Planned = Pick<SweepRecord, 'columns' | 'parameters' | 'project'>;

/** The project of a job. @throws UserError when a place is not there */
function projectOf({ columns, parameters, project }: Planned, values: readonly Value[]): Record<string, unknown> {
  const chosen = columns.flatMap(({ kind, name }, i) => (kind === 'param' ? [[name, Number(values[i])] as const] : []));
  const applied: unknown =
    chosen.length === 0 ? project : applyTemplate({ parameters, project }, Object.fromEntries(chosen));
  return columns.reduce<unknown>(
    (made, { kind, name }, i) => (kind === 'set' ? assign(made, name.split('.'), values[i] ?? 0) : made),
    applied,
  ) as Record<string, unknown>;
}

/** `energy = 70 MeV`, and `beam.energy=70` of what --set has changed. */
const wordsOf = ({ columns }: Pick<SweepRecord, 'columns'>, values: readonly Value[]): string =>
  columns
    .map(({ kind, name, unit }, i) =>
      kind === 'set' ? `${name}=${values[i]}` : `${name} = ${values[i]}${unit === '' ? '' : ` ${unit}`}`,
    )
    .join(', ');

/** Submits what has not been submitted yet, and says each id at once. */
async function submitRest(context: Context, client: TallyClient, record: SweepRecord, isQuiet: boolean): Promise<void> {
  const warnings = new Set<string>();
  for (const [row, values] of record.rows.entries()) {
    const known = record.jobs.get(row);
    if (known === undefined) {
      const sweep = { id: record.key, size: record.rows.length };
      const sim_data = projectOf(record, values);
      const given = { source: { input_type: 'editor' as const, sim_data }, submission: { sweep } };
      const title = `${record.title} [${wordsOf(record, values)}]`.slice(0, TITLE_LENGTH_MAX);
      const order = { given, title, key: `${record.key}-${row}` };
      const accepted = await submitJob(client, order, { ...record.options, set: [], param: [] });
      for (const { message } of accepted.warnings ?? []) warnings.add(message);
      addJob(context.env, record, row, accepted.job_id);
    }
    if (!isQuiet) context.note(`${record.jobs.get(row)}  ${wordsOf(record, values)}`);
  }
  for (const message of warnings) context.note(`warning: ${message}`);
}

async function resultOf(client: TallyClient, jobId: string): Promise<readonly Reading[]> {
  const [line] = linesOf(await client.request('GET', '/results', { query: { job_id: jobId } }));
  return line === undefined ? [] : readLine(line);
}

async function waitForAll(
  client: TallyClient,
  { rows, jobs }: SweepRecord,
  context: Context,
  isQuiet: boolean,
): Promise<SweepRow[]> {
  const ended = new Map<number, SweepRow>();
  for (;;) {
    for (const [row, jobId] of jobs) {
      if (ended.has(row)) continue;
      const { job_state: state } = await statusOf(client, jobId);
      if (!isFinal(state)) continue;
      const readings = state === 'COMPLETED' ? await resultOf(client, jobId) : [];
      ended.set(row, { values: rows[row] ?? [], jobId, state, readings });
    }
    if (!isQuiet && context.isTerminal)
      context.write(`\r${progressBar(ended.size / jobs.size, `${ended.size} of ${jobs.size} jobs`)}\u001b[K`);
    if (ended.size === jobs.size) break;
    await sleep(POLL_MS);
  }
  if (!isQuiet && context.isTerminal) context.say();
  return [...ended].toSorted(([a], [b]) => a - b).map(([, row]) => row);
}

const withUnit = (name: string, unit: string): string => (unit === '' ? name : `${name} / ${unit}`);

/** A table with a column for each reading that some job has, value ± error in the unit of its head. */
function tableOf({ columns }: SweepRecord, rows: readonly SweepRow[]): string {
  const heads = new Map(
    rows.flatMap(({ readings }) =>
      readings.filter(({ name }) => name !== 'mean_error').map(({ name, unit }) => [name, unit] as const),
    ),
  );
  const cell = (reading: Reading | undefined) =>
    reading === undefined ? '–' : formatReading({ value: reading.value, error: reading.error, unit: '' });
  return table(
    [
      ...columns.map(({ name, unit }) => withUnit(name, unit)),
      'STATE',
      ...[...heads].map(([name, unit]) => withUnit(name, unit)),
      'JOB',
    ],
    rows.map(({ values, state, readings, jobId }) => [
      ...values.map(String),
      state,
      ...[...heads.keys()].map((name) => cell(readings.find((one) => one.name === name))),
      jobId,
    ]),
  );
}

async function sweep(context: Context, file: string | undefined, options: SweepOptions): Promise<void> {
  const client = clientOf(context, options);
  const record = await open(context, client, file, options);
  const isQuiet = options.json === true;
  const release = context.onInterrupt(
    () => `Jobs that are submitted go on. "tally sweep --attach ${record.label}" goes on with the sweep.`,
  );
  if (!isQuiet) context.note(`sweep ${record.label}: ${record.rows.length} jobs`);
  try {
    await submitRest(context, client, record, isQuiet);
  } catch (err) {
    if (!isQuiet)
      context.note(
        `${record.jobs.size} of ${record.rows.length} jobs are submitted; "tally sweep --attach ${record.label}" goes on`,
      );
    throw err;
  }
  const label = (values: readonly Value[]) =>
    Object.fromEntries(record.columns.map(({ name }, i) => [name, values[i]] as const));
  if (!options.wait) {
    const jobs = record.rows.map((values, row) => ({ ...label(values), job_id: record.jobs.get(row) ?? '' }));
    context.say(
      isQuiet
        ? JSON.stringify(jobs, null, 2)
        : table(
            [...record.columns.map(({ name, unit }) => withUnit(name, unit)), 'JOB'],
            record.rows.map((values, row) => [...values.map(String), record.jobs.get(row) ?? '']),
          ),
    );
    return release();
  }
  const rows = await waitForAll(client, record, context, isQuiet);
  release();
  if (rows.some(({ state }) => state !== 'COMPLETED')) context.exit(EXIT.jobFailed);
  const told = rows.map(({ values, jobId, state, readings }) => ({
    ...label(values),
    job_id: jobId,
    job_state: state,
    readings: Object.fromEntries(readings.map(({ name, ...reading }) => [name, reading])),
  }));
  context.say(isQuiet ? JSON.stringify(told, null, 2) : tableOf(record, rows));
}

/** A new sweep, or one that goes on. */
async function open(context: Context, client: TallyClient, file: string | undefined, options: SweepOptions) {
  const { attach } = options;
  if (attach === undefined) return createSweep(context.env, await plan(context, client, file, options));
  if (file !== undefined || options.template !== undefined || options.set.length + options.param.length > 0)
    throw new UserError('--attach goes on with a sweep as it was begun: give no project, template or values');
  const record = readSweep(context.env, attach);
  if (record.url !== client.baseUrl) throw new UserError(`the sweep ${attach} is of ${record.url}: give --url`);
  return record;
}

/** sweep. */
export function addSweepCommand(program: Command, context: Context): void {
  addSubmitOptions(
    program
      .command('sweep [project]')
      .description('A job for every value of a parameter, and one table of what is read off their curves'),
  )
    .option('--no-wait', 'only submit')
    .option('--label <name>', 'a name for --attach; made up unless given')
    .option('--attach <label>', 'go on with a sweep that was interrupted, or that was not waited for')
    .addHelpText(
      'after',
      `
Values are from:to:step with both ends (70:230:10), a list (70,100,150), or one value; several options are combined.

Examples:
  $ tally sweep --template water-tank --param energy=70:230:10
  $ tally sweep --template bone-slab --param thickness=1:5:1 --param energy=120,150
  $ tally sweep project.json --set beam.energy=70:230:10 --json > ranges.json
  $ tally sweep --attach sweep-3f9a2c`,
    )
    .action((file: string | undefined, _, command: Command) => sweep(context, file, command.optsWithGlobals()));
}
