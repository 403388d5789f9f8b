import type { TallyClient } from '@tally/client';
import type { Command } from 'commander';
import { answer, type CommonOptions, type Context, clientOf } from '../context.js';
import { UserError } from '../exit-codes.js';
import { describe, primariesOf, readSource, type Source, statusOf, titleOf } from '../job.js';
import { assign, readAssignment } from '../sweep-values.js';
import { targetEstimatorOf } from '../target-estimator.js';
import { table } from '../terminal/plot.js';
import { exitCodeOfState, follow } from './watch.js';

const SIMULATORS = ['simA', 'simB', 'simC', 'simD'] as const;
const LIST_PAGE_SIZE = 100;
/** Of the interface. */
const TITLE_LENGTH_MAX = 256;

/** How a job shall run; the same for one and for a sweep. */
export interface SubmitOptions extends CommonOptions {
  readonly sim: string;
  readonly tasks?: string;
  readonly primaries?: string;
  readonly seed?: string;
  readonly title?: string;
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
function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new UserError(`--${name} must be a whole number from 1, not ${text}`);
  return value;
}

/** What is to run, as the service takes it. @throws UserError */
function submissionOf(source: Source, options: SubmitOptions, title = options.title) {
  const simulator = SIMULATORS.find((name) => name === options.sim);
  if (simulator === undefined) throw new UserError(`--sim must be one of ${SIMULATORS.join(', ')}`);
  return {
    sim_type: simulator,
    ntasks: options.tasks === undefined ? 1 : wholeNumber('tasks', options.tasks),
    ...source,
    ...(title === undefined ? {} : { title }),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
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

/** Sends a job. @returns the answer of the service */
export async function submitJob(client: TallyClient, source: Source, options: SubmitOptions, title = options.title) {
  const body = submissionOf(source, options, title);
  const batch = batchOptionsOf(options);
  if (batch === undefined) return client.request('POST', '/jobs/direct', { body });
  return client.request('POST', '/jobs/batch', { body: { ...body, batch_options: batch } });
}

/** What is asked of a cluster; undefined: the job is for the workers of the service. */
function batchOptionsOf({ cluster, schedulerOptions }: SubmitOptions) {
  if (cluster === undefined) return undefined;
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

/** The source with another number of primaries, and what --set says, one value each. */
export function changed(source: Source, options: SubmitOptions): Source {
  const assignments = options.set.map(readAssignment);
  if (options.primaries !== undefined) {
    assignments.push({ path: ['beam', 'numberOfParticles'], values: [wholeNumber('primaries', options.primaries)] });
  }
  if (assignments.length === 0) return source;
  if (source.input_type === 'files') throw new UserError('--set and --primaries are for projects; a deck says its own');
  let project: unknown = source.sim_data;
  for (const { path, values } of assignments) {
    const [value, ...more] = values;
    if (value === undefined || more.length > 0)
      throw new UserError('submit takes one value for each --set; "tally sweep" takes several');
    project = assign(project, path, value);
  }
  return { input_type: 'editor', sim_data: project as Record<string, unknown> };
}

/** A title that says what --set has changed: that of the project is of the project as it was. Undefined: as the service finds it. */
function proposeTitle(source: Source, { title, set }: SubmitOptions): string | undefined {
  if (title !== undefined || set.length === 0 || source.input_type === 'files') return title;
  return `${titleOf(source.sim_data) ?? 'Untitled'} [${set.join(', ')}]`.slice(0, TITLE_LENGTH_MAX);
}

/** Adds what submit and sweep have in common. */
export function addSubmitOptions(command: Command): Command {
  return command
    .option('-s, --sim <name>', `simulator: ${SIMULATORS.join(', ')}`, 'simA')
    .option('-n, --tasks <n>', 'parallel tasks')
    .option('-p, --primaries <n>', 'primaries instead of those of the project, for example 1e6')
    .option('--seed <n>', 'seed of the random numbers')
    .option('--title <text>', 'title of the job')
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
    .option(
      '--set <path=value>',
      'change the project, for example beam.energy=120',
      (text: string, all: readonly string[]) => [...all, text],
      [],
    );
}

async function submit(context: Context, files: readonly string[], options: SubmitOptions): Promise<void> {
  const source = changed(readSource(files), options);
  const client = clientOf(context, options);
  const accepted = await submitJob(client, source, options, proposeTitle(source, options));
  for (const { message } of accepted.warnings ?? []) context.note(`warning: ${message}`);
  if (options.watch !== true) return answer(context, options, accepted, () => accepted.job_id);
  if (options.json !== true) context.say(accepted.job_id);
  await watch(context, accepted.job_id, options);
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
  const batch = batchOptionsOf(options);
  const place = batch === undefined ? {} : ({ platform: 'batch', batch_options: batch } as const);
  const body = { ...submissionOf(changed(readSource(files), options), options), ...place };
  const estimated = await clientOf(context, options).request('POST', '/estimate', { body });
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

async function watch(context: Context, jobId: string, options: CommonOptions): Promise<void> {
  const status = await follow(clientOf(context, options), jobId, context, options.json === true);
  if (options.json === true) context.say(JSON.stringify({ job_id: jobId, ...status }, null, 2));
  if (status.failure !== undefined) context.note(status.failure);
  context.exit(exitCodeOfState(status.job_state));
}

interface ListOptions extends CommonOptions {
  readonly state?: string;
  readonly limit: string;
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const client = clientOf(context, options);
  const limit = wholeNumber('limit', options.limit);
  const jobs = [];
  for (let page = 1; jobs.length < limit; page++) {
    const query = {
      page_size: LIST_PAGE_SIZE,
      page_idx: page,
      ...(options.state === undefined ? {} : { job_state: options.state.toUpperCase() }),
    };
    const { simulations, page_count: pages } = await client.request('GET', '/user/simulations', { query });
    jobs.push(...simulations);
    if (page >= pages) break;
  }
  const shown = jobs.slice(0, limit);
  answer(context, options, shown, () =>
    table(
      [
        'JOB',
        'STATE',
        'SIM',
        'COMPUTED BY',
        'BEAM',
        'I(WATER)',
        'PRIMARIES',
        'OF',
        'SEED',
        'TASKS',
        'SUBMITTED',
        'TITLE',
      ],
      shown.map((j) => [
        j.job_id,
        j.job_state,
        j.sim_type,
        j.description?.engine ?? '',
        j.description?.beam ?? '',
        typeof j.description?.water_ionisation_ev === 'number' ? `${j.description.water_ionisation_ev} eV` : '',
        String(j.simulated_primaries ?? ''),
        String(j.description?.requested_primaries ?? ''),
        j.description?.seed ?? '',
        String(j.ntasks),
        j.start_time,
        j.title,
      ]),
    ),
  );
}

async function show(context: Context, jobId: string, options: CommonOptions): Promise<void> {
  const status = await statusOf(clientOf(context, options), jobId);
  const { done, total } = primariesOf(status);
  answer(context, options, status, () =>
    [
      `${jobId}  ${status.job_state}  ${done} / ${total} primaries`,
      ...(status.description === undefined ? [] : [status.description.title, describe(status.description)]),
      ...(status.failure === undefined ? [] : [status.failure]),
      ...(status.waiting_reason === undefined ? [] : [status.waiting_reason]),
      table(
        ['TASK', 'STATE', 'DONE', 'OF', 'FAILURE'],
        status.job_tasks_status.map((t) => [
          String(t.task_id),
          t.task_state,
          String(t.simulated_primaries),
          String(t.requested_primaries),
          t.failure ?? '',
        ]),
      ),
    ].join('\n'),
  );
}

async function cancel(context: Context, jobIds: readonly string[], options: CommonOptions): Promise<void> {
  const client = clientOf(context, options);
  const ended: { readonly job_id: string; readonly job_state: string }[] = [];
  for (const jobId of jobIds) {
    const query = { job_id: jobId };
    const { cluster_name: cluster } = await statusOf(client, jobId);
    const { job_state: state } = await (cluster === undefined
      ? client.request('DELETE', '/jobs/direct', { query })
      : client.request('DELETE', '/jobs/batch', { query }));
    ended.push({ job_id: jobId, job_state: state });
  }
  answer(context, options, ended, () => ended.map((job) => `${job.job_id}  ${job.job_state}`).join('\n'));
}

async function stop(context: Context, jobIds: readonly string[], options: CommonOptions): Promise<void> {
  const client = clientOf(context, options);
  const stopped: { readonly job_id: string; readonly job_state: string; readonly message: string }[] = [];
  for (const jobId of jobIds) {
    const query = { job_id: jobId };
    const { cluster_name: cluster } = await statusOf(client, jobId);
    const answered = await (cluster === undefined
      ? client.request('POST', '/jobs/direct/stop', { query })
      : client.request('POST', '/jobs/batch/stop', { query }));
    stopped.push({ job_id: jobId, ...answered });
  }
  answer(context, options, stopped, () => stopped.map((job) => `${job.job_id}  ${job.message}`).join('\n'));
}

interface ExtendOptions extends CommonOptions {
  readonly primaries: string;
  readonly tasks?: string;
}

async function extend(context: Context, jobId: string, options: ExtendOptions): Promise<void> {
  const client = clientOf(context, options);
  const tasks = options.tasks === undefined ? {} : { ntasks: wholeNumber('tasks', options.tasks) };
  const body = { job_id: jobId, primaries: wholeNumber('primaries', options.primaries), ...tasks };
  const { cluster_name: cluster } = await statusOf(client, jobId);
  const extended = await (cluster === undefined
    ? client.request('POST', '/jobs/direct/extend', { body })
    : client.request('POST', '/jobs/batch/extend', { body }));
  answer(context, options, extended, () => `${jobId}  ${extended.primaries} primaries in ${extended.ntasks} tasks`);
}

async function remove(context: Context, jobIds: readonly string[], options: CommonOptions): Promise<void> {
  const client = clientOf(context, options);
  for (const jobId of jobIds) await client.request('DELETE', '/user/simulations', { query: { job_id: jobId } });
  answer(context, options, { deleted: jobIds }, () => `deleted: ${jobIds.join(', ')}`);
}

/** submit, estimate, watch, list, show, cancel, stop, extend, delete. */
export function addJobCommands(program: Command, context: Context): void {
  addSubmitOptions(
    program.command('submit <files...>').description('Submit a project (.json), or the files or the folder of a deck'),
  )
    .option('-w, --watch', 'follow it to its end')
    .action((files: string[], _, command: Command) => submit(context, files, command.optsWithGlobals()));
  addSubmitOptions(
    program.command('estimate <files...>').description('How long it would take; takes the options of submit'),
  ).action((files: string[], _, command: Command) => estimate(context, files, command.optsWithGlobals()));
  program
    .command('watch <job>')
    .description('Follow a job to its end')
    .action((jobId: string, _, command: Command) => watch(context, jobId, command.optsWithGlobals()));
  program
    .command('list')
    .description('List your jobs, the newest first')
    .option('--state <states>', 'only these, comma-separated, for example running,pending')
    .option('--limit <n>', 'how many', '20')
    .action((_, command: Command) => list(context, command.optsWithGlobals()));
  program
    .command('show <job>')
    .description('State of a job and of its tasks')
    .action((jobId: string, _, command: Command) => show(context, jobId, command.optsWithGlobals()));
  program
    .command('cancel <jobs...>')
    .description('Cancel jobs; what finished tasks delivered stays')
    .action((jobIds: string[], _, command: Command) => cancel(context, jobIds, command.optsWithGlobals()));
  program
    .command('stop <jobs...>')
    .description('End jobs early and keep what they have simulated')
    .action((jobIds: string[], _, command: Command) => stop(context, jobIds, command.optsWithGlobals()));
  program
    .command('extend <job>')
    .description('Add primaries to a job that is COMPLETED')
    .requiredOption('-p, --primaries <n>', 'further primaries, for example 1e6')
    .option('-n, --tasks <n>', 'further parallel tasks; as many as it was submitted with unless given')
    .action((jobId: string, _, command: Command) => extend(context, jobId, command.optsWithGlobals()));
  program
    .command('delete <jobs...>')
    .description('Delete jobs that have ended, with everything of them')
    .action((jobIds: string[], _, command: Command) => remove(context, jobIds, command.optsWithGlobals()));
}
