import type { TallyClient } from '@tally/client';
import type { Command } from 'commander';
import { answer, type CommonOptions, type Context, clientOf } from '../context.js';
import { UserError } from '../exit-codes.js';
import { type Given, readGiven, type Source, type TemplateOptions, titleOf } from '../source.js';
import { assign, readAssignment } from '../sweep/values.js';
import { targetEstimatorOf } from '../target-estimator.js';
import { table } from '../terminal/plot.js';
import { watchJob } from './watch.js';

export const SIMULATORS = ['simA', 'simB', 'simC', 'simD'] as const;
/** Of the interface. */
export const TITLE_LENGTH_MAX = 256;

/** How a job shall run; the same for one and for a sweep. */
export interface SubmitOptions extends CommonOptions, TemplateOptions {
  readonly sim?: string;
  readonly tasks?: string;
  readonly primaries?: string;
  readonly seed?: string;
  readonly title?: string;
  readonly group?: string;
  readonly cluster?: string;
  readonly schedulerOptions?: string;
  readonly omitUnsupported?: boolean;
  readonly target?: string;
  readonly targetEstimator?: string;
  readonly targetPage?: string;
  readonly maxPrimaries?: string;
  readonly set: readonly string[];
  readonly watch?: boolean;
}

/** A whole number, `1e6` too. @throws UserError */
export function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new UserError(`--${name} must be a whole number from 1, not ${text}`);
  return value;
}

/** What is to run, as the service takes it: options go before what a submission.json says. @throws UserError */
function submissionOf({ source, submission }: Given, options: SubmitOptions, title: string | undefined) {
  const { sim = submission.sim_type ?? 'simA' } = options;
  const simulator = SIMULATORS.find((name) => name === sim);
  if (simulator === undefined) throw new UserError(`--sim must be one of ${SIMULATORS.join(', ')}`);
  const { batch_options: _, ...given } = submission;
  return {
    ...given,
    sim_type: simulator,
    ntasks: options.tasks === undefined ? (submission.ntasks ?? 1) : wholeNumber('tasks', options.tasks),
    ...source,
    ...(title === undefined ? {} : { title }),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.group === undefined ? {} : { group_id: options.group }),
    ...(options.omitUnsupported === true ? { on_unsupported: 'omit' as const } : {}),
    ...(options.target === undefined ? {} : { target: targetOf(options.target, source, options) }),
  };
}

/** `1%` or `0.01`. @throws UserError */
function targetOf(text: string, source: Source, { targetEstimator, targetPage, maxPrimaries }: SubmitOptions) {
  const error = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (!(error > 0 && error < 1))
    throw new UserError(`--target must be a relative error such as 1% or 0.01, not ${text}`);
  if (maxPrimaries === undefined) throw new UserError('--target needs --max-primaries, with which it ends in any case');
  return {
    estimator: targetEstimator ?? targetEstimatorOf(source),
    relative_error: error,
    max_primaries: wholeNumber('max-primaries', maxPrimaries),
    ...(targetPage === undefined ? {} : { page: wholeNumber('target-page', targetPage) }),
  };
}

/** What is to be sent, and once only where it is sent again under the same key. */
interface Order {
  readonly given: Given;
  readonly title: string | undefined;
  readonly key?: string;
}

/** Sends a job. @returns the answer of the service */
export async function submitJob(client: TallyClient, { given, title, key }: Order, options: SubmitOptions) {
  const body = submissionOf(given, options, title);
  const batch = batchOptionsOf(options, given);
  const headers = key === undefined ? {} : { headers: { 'Idempotency-Key': key } };
  if (batch === undefined) return client.request('POST', '/jobs/direct', { body, ...headers });
  return client.request('POST', '/jobs/batch', { body: { ...body, batch_options: batch }, ...headers });
}

/** What is asked of a cluster; undefined: the job is for the workers of the service. */
function batchOptionsOf({ cluster, schedulerOptions }: SubmitOptions, { submission }: Given) {
  if (cluster === undefined) return submission.batch_options;
  return {
    ...(cluster === 'default' ? {} : { cluster_name: cluster }),
    ...(schedulerOptions === undefined ? {} : { scheduler_options: parseOptions(schedulerOptions) }),
  };
}

function parseOptions(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new UserError(`--scheduler-options must be JSON, such as '{"time": "1:00:00"}'`);
  }
}

/** What is given with another number of primaries, and with what --set says, one value each. */
export function changed(given: Given, options: Pick<SubmitOptions, 'set' | 'primaries'>): Given {
  const assignments = options.set.map(readAssignment);
  if (options.primaries !== undefined) {
    assignments.push({ path: ['beam', 'numberOfParticles'], values: [wholeNumber('primaries', options.primaries)] });
  }
  if (assignments.length === 0) return given;
  const { source } = given;
  if (source.input_type === 'files') throw new UserError('--set and --primaries are for projects; a deck says its own');
  let project: unknown = source.sim_data;
  for (const { path, values } of assignments) {
    const [value, ...more] = values;
    if (value === undefined || more.length > 0)
      throw new UserError('submit takes one value for each --set; "tally sweep" takes several');
    project = assign(project, path, value);
  }
  return { ...given, source: { input_type: 'editor', sim_data: project as Record<string, unknown> } };
}

/** A title that says what was changed: that of the project is of the project as it was. Undefined: as the service finds it. */
function proposeTitle({ source, title: own }: Given, { title, set }: SubmitOptions): string | undefined {
  if (title !== undefined || source.input_type === 'files') return title;
  if (set.length === 0) return own;
  return `${own ?? titleOf(source.sim_data) ?? 'Untitled'} [${set.join(', ')}]`.slice(0, TITLE_LENGTH_MAX);
}

const collect = (text: string, all: readonly string[]) => [...all, text];

/** Adds what chooses a template. */
export function addTemplateOptions(command: Command): Command {
  return command
    .option('--template <name>', 'a template instead of files: "tally templates" lists them')
    .option('--param <name=value>', 'a parameter of the template, for example thickness=3', collect, []);
}

/** Adds what submit, estimate and sweep have in common. */
export function addSubmitOptions(command: Command): Command {
  return addTemplateOptions(command)
    .option('-s, --sim <name>', `simulator: ${SIMULATORS.join(', ')} (simA unless given)`)
    .option('-n, --tasks <n>', 'parallel tasks')
    .option('-p, --primaries <n>', 'primaries instead of those of the project, for example 1e6')
    .option('--seed <n>', 'seed of the random numbers')
    .option('--title <text>', 'title of the job')
    .option('--group <id>', 'give it to a group of yours: "tally groups" lists them')
    .option('--cluster <name>', 'run on this cluster, or on the default one: "default"')
    .option('--scheduler-options <json>', "options of the cluster's scheduler")
    .option('--omit-unsupported', 'leave out quantities that cannot be scored')
    .option('--target <error>', 'go on until the relative error is this, for example 1%')
    .option(
      '--target-estimator <name>',
      'of these results; of the only ones, or the only ones with a dose, unless given',
    )
    .option('--target-page <n>', 'of this page of them; of all unless given')
    .option('--max-primaries <n>', 'end with these in any case, for example 1e8')
    .option('--set <path=value>', 'change the project, for example beam.energy=120', collect, []);
}

async function submit(context: Context, files: readonly string[], options: SubmitOptions): Promise<void> {
  const client = () => clientOf(context, options);
  const given = changed(await readGiven(client, files, options), options);
  const accepted = await submitJob(client(), { given, title: proposeTitle(given, options) }, options);
  for (const { message } of accepted.warnings ?? []) context.note(`warning: ${message}`);
  if (options.watch !== true) return answer(context, options, accepted, () => accepted.job_id);
  if (options.json !== true) context.say(accepted.job_id);
  await watchJob(context, client(), accepted.job_id, options);
}

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

/** `95 s`, `12.5 min`, `3.2 h`, `2.1 d`. */
function duration(seconds: number): string {
  const [length, unit] = UNITS.find(([size]) => seconds >= 2 * size) ?? [1, 's'];
  return `${Number((seconds / length).toPrecision(2))} ${unit}`;
}

interface Seconds {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}
const range = (time: Seconds | undefined) =>
  time === undefined ? '–' : `${duration(time.expected)} (${duration(time.low)} to ${duration(time.high)})`;

async function estimate(context: Context, files: readonly string[], options: SubmitOptions): Promise<void> {
  const client = clientOf(context, options);
  const given = changed(await readGiven(() => client, files, options), options);
  const batch = batchOptionsOf(options, given);
  const place = batch === undefined ? {} : ({ platform: 'batch', batch_options: batch } as const);
  const body = { ...submissionOf(given, options, options.title), ...place };
  const estimated = await client.request('POST', '/estimate', { body });
  const { cluster_name: cluster, wall_time_limit_seconds: limit } = estimated;
  const where =
    cluster === undefined
      ? `${estimated.slots} slots; ${estimated.tasks_before} of ${estimated.waiting_tasks} waiting tasks go before`
      : `on ${cluster}, all at once${limit === undefined ? '' : `, each at most ${duration(limit)}`}`;
  answer(context, options, estimated, () =>
    [
      `${estimated.primaries} primaries in ${estimated.ntasks} tasks; ${where}`,
      table(
        ['SIM', 'COMPUTED BY', 'PROCESSOR TIME', 'BY THE CLOCK', 'FROM'],
        estimated.simulators.map((s) => [
          s.sim_type,
          s.engine,
          range(s.processor_seconds),
          range(s.wall_seconds),
          s.refusal ?? (s.basis === 'model' ? 'the model alone' : `${s.jobs} jobs (${s.basis})`),
        ]),
      ),
    ].join('\n'),
  );
}

/** submit, estimate. */
export function addSubmitCommands(program: Command, context: Context): void {
  addSubmitOptions(
    program
      .command('submit [files...]')
      .description('Submit a project or a submission (.json), the files or the folder of a deck, or a template'),
  )
    .option('-w, --watch', 'follow it to its end')
    .addHelpText(
      'after',
      `
Examples:
  $ tally submit project.json --tasks 8 --watch
  $ tally submit project.json --set beam.energy=120 --primaries 1e6
  $ tally submit --template bone-slab --param thickness=3 --watch
  $ tally submit deck/                      the files of a deck
  $ tally submit crate/submission.json      a job of a crate again
  $ tally submit project.json --target 1% --max-primaries 1e8`,
    )
    .action((files: string[], _, command: Command) => submit(context, files, command.optsWithGlobals()));
  addSubmitOptions(
    program.command('estimate [files...]').description('How long it would take; takes the options of submit'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ tally estimate project.json --primaries 1e7 --tasks 16
  $ tally estimate --template carbon-fragments --primaries 1e6`,
    )
    .action((files: string[], _, command: Command) => estimate(context, files, command.optsWithGlobals()));
}
