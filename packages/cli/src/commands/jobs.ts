import type { Command } from 'commander';
import { answer, type CommonOptions, type Context, clientOf } from '../context.js';
import { describe, primariesOf, statusOf } from '../job.js';
import { resolveJobId, resolveJobIds } from '../job-id.js';
import { table } from '../terminal/plot.js';
import { wholeNumber } from './submit.js';
import { type WatchOptions, watchJob } from './watch.js';

const LIST_PAGE_SIZE = 100;

async function watch(context: Context, given: string, options: WatchOptions): Promise<void> {
  const client = clientOf(context, options);
  await watchJob(context, client, await resolveJobId(client, given), options);
}

interface ListOptions extends CommonOptions {
  readonly state?: string;
  readonly tag: readonly string[];
  readonly search?: string;
  readonly limit: string;
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const client = clientOf(context, options);
  const limit = wholeNumber('limit', options.limit);
  const tags = options.tag.map((tag) => `tag:"${tag.replaceAll('"', '')}"`);
  const search = [options.search ?? '', ...tags].join(' ').trim();
  const jobs = [];
  for (let page = 1; jobs.length < limit; page++) {
    const query = {
      page_size: LIST_PAGE_SIZE,
      page_idx: page,
      ...(search === '' ? {} : { search }),
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
        'TAGS',
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
        j.labels?.tags.join(', ') ?? '',
      ]),
    ),
  );
}

async function show(context: Context, given: string, options: CommonOptions): Promise<void> {
  const client = clientOf(context, options);
  const jobId = await resolveJobId(client, given);
  const status = await statusOf(client, jobId);
  const { done, total } = primariesOf(status);
  answer(context, options, status, () =>
    [
      `${jobId}  ${status.job_state}  ${done} / ${total} primaries`,
      ...(status.description === undefined ? [] : [status.description.title, describe(status.description)]),
      ...(status.labels === undefined || status.labels.tags.length === 0
        ? []
        : [`tags: ${status.labels.tags.join(', ')}`]),
      ...(status.labels === undefined || status.labels.note === '' ? [] : [status.labels.note]),
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

async function cancel(context: Context, given: readonly string[], options: CommonOptions): Promise<void> {
  const client = clientOf(context, options);
  const ended: { readonly job_id: string; readonly job_state: string }[] = [];
  for (const jobId of await resolveJobIds(client, given)) {
    const query = { job_id: jobId };
    const { cluster_name: cluster } = await statusOf(client, jobId);
    const { job_state: state } = await (cluster === undefined
      ? client.request('DELETE', '/jobs/direct', { query })
      : client.request('DELETE', '/jobs/batch', { query }));
    ended.push({ job_id: jobId, job_state: state });
  }
  answer(context, options, ended, () => ended.map((job) => `${job.job_id}  ${job.job_state}`).join('\n'));
}

async function stop(context: Context, given: readonly string[], options: CommonOptions): Promise<void> {
  const client = clientOf(context, options);
  const stopped: { readonly job_id: string; readonly job_state: string; readonly message: string }[] = [];
  for (const jobId of await resolveJobIds(client, given)) {
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

async function extend(context: Context, given: string, options: ExtendOptions): Promise<void> {
  const client = clientOf(context, options);
  const jobId = await resolveJobId(client, given);
  const tasks = options.tasks === undefined ? {} : { ntasks: wholeNumber('tasks', options.tasks) };
  const body = { job_id: jobId, primaries: wholeNumber('primaries', options.primaries), ...tasks };
  const { cluster_name: cluster } = await statusOf(client, jobId);
  const extended = await (cluster === undefined
    ? client.request('POST', '/jobs/direct/extend', { body })
    : client.request('POST', '/jobs/batch/extend', { body }));
  answer(context, options, extended, () => `${jobId}  ${extended.primaries} primaries in ${extended.ntasks} tasks`);
}

async function remove(context: Context, given: readonly string[], options: CommonOptions): Promise<void> {
  const client = clientOf(context, options);
  const jobIds = await resolveJobIds(client, given);
  for (const jobId of jobIds) await client.request('DELETE', '/user/simulations', { query: { job_id: jobId } });
  answer(context, options, { deleted: jobIds }, () => `deleted: ${jobIds.join(', ')}`);
}

/** watch, list, show, cancel, stop, extend, delete. */
export function addJobCommands(program: Command, context: Context): void {
  program
    .command('watch <job>')
    .description('Follow a job to its end; Ctrl-C ends the watching, not the job')
    .option('--notify', 'ring the bell and notify in the terminal and on the desktop when it ends')
    .addHelpText(
      'after',
      `
Examples:
  $ tally watch @last --notify
  $ tally watch 6595c475 && tally plot 6595c475`,
    )
    .action((job: string, _, command: Command) => watch(context, job, command.optsWithGlobals()));
  program
    .command('list')
    .description('List your jobs, the newest first')
    .option('--state <states>', 'only these, comma-separated, for example running,pending')
    .option(
      '--tag <tag>',
      'only these; may be repeated',
      (tag: string, before: readonly string[]) => [...before, tag],
      [],
    )
    .option('--search <terms>', 'only what all terms find: words, tag:, particle:, energy:, date:, simulator:, is:')
    .option('--limit <n>', 'how many', '20')
    .addHelpText(
      'after',
      `
Examples:
  $ tally list --state running,pending
  $ tally list --tag qa --search 'particle:proton energy:100..200 date:2026-03-01..'
  $ tally list --json --limit 1000 > jobs.json`,
    )
    .action((_, command: Command) => list(context, command.optsWithGlobals()));
  program
    .command('show <job>')
    .description('State of a job and of its tasks')
    .action((job: string, _, command: Command) => show(context, job, command.optsWithGlobals()));
  program
    .command('cancel <jobs...>')
    .description('Cancel jobs; what finished tasks delivered stays')
    .action((jobs: string[], _, command: Command) => cancel(context, jobs, command.optsWithGlobals()));
  program
    .command('stop <jobs...>')
    .description('End jobs early and keep what they have simulated')
    .action((jobs: string[], _, command: Command) => stop(context, jobs, command.optsWithGlobals()));
  program
    .command('extend <job>')
    .description('Add primaries to a job that is COMPLETED')
    .requiredOption('-p, --primaries <n>', 'further primaries, for example 1e6')
    .option('-n, --tasks <n>', 'further parallel tasks; as many as it was submitted with unless given')
    .addHelpText(
      'after',
      `
Examples:
  $ tally extend @last --primaries 1e6`,
    )
    .action((job: string, _, command: Command) => extend(context, job, command.optsWithGlobals()));
  program
    .command('delete <jobs...>')
    .description('Delete jobs that have ended, with everything of them')
    .action((jobs: string[], _, command: Command) => remove(context, jobs, command.optsWithGlobals()));
}
