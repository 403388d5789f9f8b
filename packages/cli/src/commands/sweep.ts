import { setTimeout as sleep } from 'node:timers/promises';
import { formatReading, type TallyClient } from '@tally/client';
import type { Command } from 'commander';
import { type Context, clientOf } from '../context.js';
import { EXIT, UserError } from '../exit-codes.js';
import { isFinal, linesOf, type Reading, readLine, readSource, type State, statusOf, titleOf } from '../job.js';
import { assign, combinations, readAssignment } from '../sweep-values.js';
import { progressBar, table } from '../terminal/plot.js';
import { addSubmitOptions, changed, type SubmitOptions, submitJob } from './jobs.js';

const POLL_MS = 1_000;

interface SweepOptions extends SubmitOptions {
  readonly wait: boolean;
}

interface SweepJob {
  readonly values: readonly (number | string | boolean)[];
  readonly jobId: string;
}

/** What one job of a sweep gave. */
interface SweepRow extends SweepJob {
  readonly state: State;
  readonly readings: readonly Reading[];
}

async function submitAll(client: TallyClient, file: string, options: SweepOptions) {
  const assignments = options.set.map(readAssignment);
  if (assignments.length === 0) throw new UserError('sweep needs --set path=from:to:step');
  const source = changed(readSource([file]), { ...options, set: [] });
  if (source.input_type !== 'editor') throw new UserError('sweep takes a project of the editor (.json)');
  const names = assignments.map(({ path }) => path.join('.'));
  const title = options.title ?? titleOf(source.sim_data) ?? 'Sweep';
  // all are made before the first is sent: a misspelt path leaves no jobs behind
  const wanted = combinations(assignments).map((values) => ({
    values,
    project: assignments.reduce<unknown>(
      (project, { path }, i) => assign(project, path, values[i] ?? 0),
      source.sim_data,
    ),
    title: `${title} [${names.map((name, i) => `${name}=${values[i]}`).join(', ')}]`.slice(0, 256),
  }));
  const jobs: SweepJob[] = [];
  const warnings = new Set<string>();
  for (const { values, project, title: own } of wanted) {
    const sim_data = project as Record<string, unknown>;
    const accepted = await submitJob(client, { input_type: 'editor', sim_data }, options, own);
    for (const { message } of accepted.warnings ?? []) warnings.add(message);
    jobs.push({ values, jobId: accepted.job_id });
  }
  return { names, jobs, warnings };
}

async function resultOf(client: TallyClient, job: SweepJob, state: State): Promise<SweepRow> {
  if (state !== 'COMPLETED') return { ...job, state, readings: [] };
  const [line] = linesOf(await client.request('GET', '/results', { query: { job_id: job.jobId } }));
  return { ...job, state, readings: line === undefined ? [] : readLine(line) };
}

async function waitForAll(
  client: TallyClient,
  jobs: readonly SweepJob[],
  context: Context,
  isQuiet: boolean,
): Promise<SweepRow[]> {
  const rows = new Map<string, SweepRow>();
  for (;;) {
    for (const job of jobs.filter(({ jobId }) => !rows.has(jobId))) {
      const { job_state: state } = await statusOf(client, job.jobId);
      if (isFinal(state)) rows.set(job.jobId, await resultOf(client, job, state));
    }
    if (!isQuiet && context.isTerminal)
      context.write(`\r${progressBar(rows.size / jobs.length, `${rows.size} of ${jobs.length} jobs`)}\u001b[K`);
    if (rows.size === jobs.length) break;
    await sleep(POLL_MS);
  }
  if (!isQuiet && context.isTerminal) context.say();
  return jobs.flatMap(({ jobId }) => rows.get(jobId) ?? []);
}

async function sweep(context: Context, file: string, options: SweepOptions): Promise<void> {
  const client = clientOf(context, options);
  const { names, jobs, warnings } = await submitAll(client, file, options);
  for (const message of warnings) context.note(`warning: ${message}`);
  const label = (values: SweepJob['values']) => Object.fromEntries(names.map((name, i) => [name, values[i]]));
  if (!options.wait) {
    if (options.json === true)
      context.say(
        JSON.stringify(
          jobs.map(({ values, jobId }) => ({ ...label(values), job_id: jobId })),
          null,
          2,
        ),
      );
    else
      context.say(
        table(
          [...names, 'JOB'],
          jobs.map(({ values, jobId }) => [...values.map(String), jobId]),
        ),
      );
    return;
  }
  const rows = await waitForAll(client, jobs, context, options.json === true);
  if (rows.some(({ state }) => state !== 'COMPLETED')) context.exit(EXIT.jobFailed);
  if (options.json === true) {
    context.say(
      JSON.stringify(
        rows.map(({ values, jobId, state, readings }) => ({
          ...label(values),
          job_id: jobId,
          job_state: state,
          readings: Object.fromEntries(readings.map(({ name, ...reading }) => [name, reading])),
        })),
        null,
        2,
      ),
    );
    return;
  }
  const readNames = [...new Set(rows.flatMap(({ readings }) => readings.map(({ name }) => name)))].filter(
    (name) => name !== 'mean_error',
  );
  context.say(
    table(
      [...names, 'STATE', ...readNames.map((name) => name.toUpperCase()), 'JOB'],
      rows.map(({ values, state, readings, jobId }) => [
        ...values.map(String),
        state,
        ...readNames.map((name) => {
          const reading = readings.find((one) => one.name === name);
          return reading === undefined ? '–' : formatReading(reading);
        }),
        jobId,
      ]),
    ),
  );
}

/** sweep. */
export function addSweepCommand(program: Command, context: Context): void {
  addSubmitOptions(
    program
      .command('sweep <project>')
      .description('A job for every value: --set beam.energy=70:230:10, or 70,100,150; one table at the end'),
  )
    .option('--no-wait', 'only submit')
    .action((file: string, _, command: Command) => sweep(context, file, command.optsWithGlobals()));
}
