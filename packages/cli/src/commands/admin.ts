import type { Output, TallyClient } from '@tally/client';
import { type Command, Option } from 'commander';
import type { Context } from '../context.js';
import { UserError } from '../exit-codes.js';
import { table } from '../terminal/plot.js';
import type { LoginOptions } from './account.js';
import {
  type Adding,
  addingTo,
  QUOTA_COLUMNS,
  type QuotaOptions,
  quotaCells,
  type ReasonOptions,
  readQuota,
  words,
  writeFile,
} from './admin-command.js';
import { addRetention } from './admin-retention.js';
import { addUsage } from './admin-usage.js';

type Listed = Output<'GET', '/admin/jobs'>['jobs'][number];

/** Commands of operators: each signs in, as a token must not do this, and out. */
export function addAdminCommands(program: Command, context: Context): void {
  const admin = program
    .command('admin')
    .description('For operators: jobs of all users, runners, accounts, and the trail of what operators do');
  const adding = addingTo(admin, context);
  addJobCommands(adding);
  addDeploymentCommands(adding);
  addUserCommands(adding);
  addDeleteUser(adding);
  addQuotaCommands(adding);
  addUsage(adding, context);
  addRetention(adding);
  addAudit(adding.add, context);
}

const why = (job: Listed): string => job.failure ?? job.waiting_reason ?? '';

function addJobCommands({ add, addChange, run }: Adding): void {
  const filters = ['job', 'user', 'request', 'state', 'platform', 'cluster', 'runner', 'group'] as const;
  const jobs = add('jobs', 'Jobs of all users, the newest first');
  for (const name of filters) jobs.option(`--${name} <value>`, `only those of this ${name}`);
  jobs.option('-n, --count <n>', 'how many', '50').action(
    run(
      async (client, _, options) => {
        const given = options as unknown as Readonly<Record<(typeof filters)[number] | 'count', string | undefined>>;
        const query = {
          job_id: given.job,
          user: given.user,
          request_id: given.request,
          job_state: given.state,
          platform: given.platform,
          cluster_name: given.cluster,
          runner_id: given.runner,
          group_id: given.group,
          page_size: given.count,
        };
        return (await client.request('GET', '/admin/jobs', { query: query as never })).jobs;
      },
      (found) =>
        table(
          ['JOB', 'USER', 'STATE', 'RUNS', 'WAITS', 'FAILED', 'WHY'],
          found.map((job) => [
            job.job_id,
            job.username,
            job.job_state,
            ...[job.tasks.running, job.tasks.pending, job.tasks.failed].map(String),
            why(job),
          ]),
        ),
    ),
  );
  add('load', 'What runs and waits, summed up')
    .addOption(
      new Option('--by <key>', 'by what')
        .choices(['user', 'group', 'cluster', 'runner', 'simulator', 'reason'])
        .default('user'),
    )
    .action(
      run(
        async (client, _, options) => {
          const { by } = options as unknown as { readonly by: 'user' };
          return (await client.request('GET', '/admin/load', { query: { by } })).loads;
        },
        (loads) =>
          table(
            ['KEY', 'JOBS', 'RUNS', 'WAITS', 'SINCE'],
            loads.map((load) => [
              load.key,
              ...[load.open_jobs, load.running_tasks, load.pending_tasks].map(String),
              load.oldest_start_time ?? '',
            ]),
          ),
      ),
    );
  const actions = [
    ['cancel', 'Cancel a job'],
    ['fail', 'End a job as FAILED; its owner reads the reason'],
    ['retry', 'Run the failed tasks of a job again'],
    ['merge', 'Merge a job once more'],
  ] as const;
  for (const [name, description] of actions) {
    addChange(name, description)
      .argument('<job>', 'id of the job')
      .action(
        run(
          (client, [job_id = ''], { reason }) =>
            client.request('POST', `/admin/jobs/${name}`, { body: { job_id, reason } }),
          words,
        ),
      );
  }
}

function addDeploymentCommands({ add, addChange, run }: Adding): void {
  add('runners', 'Runners that live').action(
    run(
      async (client) => (await client.request('GET', '/admin/runners')).runners,
      (runners) =>
        table(
          ['RUNNER', 'RUNS', 'SLOTS', 'DRAINING', 'EXECUTABLES'],
          runners.map((runner) => [
            runner.runner_id,
            String(runner.running_tasks),
            String(runner.slots),
            runner.draining ? 'yes' : 'no',
            runner.executables.join(' '),
          ]),
        ),
    ),
  );
  for (const [name, draining] of [
    ['drain', true],
    ['undrain', false],
  ] as const) {
    addChange(name, draining ? 'Let a runner take no more tasks' : 'Let a drained runner take tasks again')
      .argument('<runner>', 'id of the runner')
      .action(
        run(
          (client, [runner_id = ''], { reason }) =>
            client.request('POST', '/admin/runners/drain', { body: { runner_id, draining, reason } }),
          ({ message, running_tasks }) => `${message}; it has ${running_tasks}`,
        ),
      );
  }
  add('pauses', 'Platforms that take no submissions').action(
    run(
      async (client) => (await client.request('GET', '/admin/pauses')).pauses,
      (pauses) =>
        table(
          ['PLATFORM', 'SINCE', 'SENTENCE'],
          pauses.map((pause) => [pause.platform, pause.since, pause.sentence]),
        ),
    ),
  );
  addChange('pause', 'Let a platform take no submissions')
    .argument('<platform>', 'direct or batch')
    .requiredOption('--sentence <text>', 'what users read')
    .action(
      run((client, [platform = ''], options) => {
        const { sentence } = options as unknown as { readonly sentence: string };
        const body = { platform: platform as 'direct', sentence, reason: options.reason };
        return client.request('PUT', '/admin/pauses', { body });
      }, words),
    );
  addChange('resume', 'Let a paused platform take submissions again')
    .argument('<platform>', 'direct or batch')
    .action(
      run(
        (client, [platform = ''], { reason }) =>
          client.request('PUT', '/admin/pauses', { body: { platform: platform as 'direct', sentence: null, reason } }),
        words,
      ),
    );
}

/** The number of the only user with a name. */
async function findUser(client: TallyClient, name: string): Promise<number> {
  const { users } = await client.request('GET', '/admin/users', {
    query: { search: name, page_size: '1000' } as never,
  });
  const found = users.filter(({ username }) => username === name);
  const [user] = found;
  if (user === undefined) throw new UserError(`there is no user ${name}`);
  if (found.length > 1)
    throw new UserError(`there are a local user and a user of the realm named ${name}: use the console`);
  return user.user_id;
}

function addUserCommands({ add, addChange, run }: Adding): void {
  add('users', 'Users')
    .argument('[search]', 'part of a name')
    .action(
      run(
        async (client, [search = '']) =>
          (await client.request('GET', '/admin/users', { query: { search, page_size: '1000' } as never })).users,
        (users) =>
          table(
            ['ID', 'USER', 'SOURCE', 'STATE', 'SESSIONS', 'TOKENS', 'LAST LOGIN'],
            users.map((user) => [
              String(user.user_id),
              user.username,
              user.source,
              user.operator ? `${user.state}, operator` : user.state,
              String(user.sessions),
              String(user.tokens),
              user.last_login_at ?? '',
            ]),
          ),
      ),
    );
  const actions = [
    ['block', 'Let a user log in no more; sessions and tokens end', '/admin/users/block', { blocked: true }],
    ['unblock', 'Let a blocked user log in again', '/admin/users/block', { blocked: false }],
    ['end-sessions', 'End all sessions and tokens of a user', '/admin/users/end-sessions', {}],
    ['reset-password', 'Make a link by which a user sets a new password', '/admin/users/reset', {}],
  ] as const;
  for (const [name, description, path, more] of actions) {
    addChange(name, description)
      .argument('<user>', 'name of the user')
      .action(
        run(
          async (client, [user = ''], { reason }) => {
            const body = { user_id: await findUser(client, user), reason, ...more };
            return client.request('POST', path, { body: body as never });
          },
          (done) => ('link' in done ? `${done.link}\nworks once, until ${done.expires_at}` : done.message),
        ),
      );
  }
}

/** Deletes a user; what he has goes, or is given to another. */
function addDeleteUser({ addChange, run }: Adding): void {
  addChange('delete-user', 'Delete a user with all that is his, or give it to another')
    .argument('<user>', 'name of the user')
    .option('--new-owner <user>', 'who gets jobs, results, logs and projects; unless given, they are removed')
    .action(
      run(
        async (client, [user = ''], options) => {
          const { newOwner, reason } = options as ReasonOptions & { readonly newOwner?: string };
          const [user_id, new_owner_id] = [
            await findUser(client, user),
            newOwner === undefined ? undefined : await findUser(client, newOwner),
          ];
          return client.request('POST', '/admin/users/delete', { body: { user_id, new_owner_id, reason } });
        },
        ({ message, jobs, projects, new_owner }) =>
          [
            `${message}: ${jobs} jobs, ${projects} projects`,
            ...(new_owner?.exceeded_quotas ?? []).map(
              ({ name, limit, used }) => `${new_owner?.username} is then above ${name}: ${used} of ${limit}`,
            ),
          ].join('\n'),
      ),
    );
}

function addQuotaCommands({ add, addChange, run }: Adding): void {
  add('quotas', 'Quotas of single users and groups').action(
    run(
      async (client) => (await client.request('GET', '/admin/quotas')).quotas,
      (quotas) =>
        table(
          ['OF', ...QUOTA_COLUMNS],
          quotas.map((quota) => [
            quota.user_id === undefined ? `group ${quota.name || quota.group_id}` : quota.name || String(quota.user_id),
            ...quotaCells(quota),
          ]),
        ),
    ),
  );
  addChange(
    'set-quota',
    'Set the quota of a user or group in place of an earlier one; without a bound it has none any more',
  )
    .argument('[user]', 'name of the user')
    .option('--group <id>', 'of all jobs of a group, in place of a user')
    .option('--processor-seconds <n>', 'in a calendar month of UTC; 0: no bound')
    .option('--stored-bytes <n>', 'of a user; 0: no bound')
    .option('--running-tasks <n>', 'of a user, at a time; 0: no bound')
    .action(
      run(async (client, [user], options) => {
        const { group, reason, ...bounds } = options as ReasonOptions & QuotaOptions & { readonly group?: string };
        if ((user === undefined) === (group === undefined)) throw new UserError('name a user, or give --group');
        const subject = user === undefined ? { group_id: group } : { user_id: await findUser(client, user) };
        return client.request('PUT', '/admin/quotas', { body: { ...subject, ...readQuota(bounds), reason } });
      }, words),
    );
}

function addAudit(add: Adding['add'], context: Context): void {
  add('audit', 'The trail of what operators do, the newest first')
    .addOption(new Option('--format <format>', 'of the trail').choices(['csv', 'jsonl']).default('csv'))
    .option('--all', 'with actions that only looked')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<LoginOptions & { readonly format: string; readonly all?: boolean }>();
      const query = new URLSearchParams({ format: options.format, changes: String(options.all !== true) });
      await writeFile(context, options, `/admin/audit?${query.toString()}`);
    });
}
