import type { Command } from 'commander';
import { answer, type CommonOptions, type Context, clientOf } from '../context.js';
import { EXIT, UserError } from '../exit-codes.js';
import { resolveJobId } from '../job-id.js';
import { table } from '../terminal/plot.js';

const DAY_MS = 86_400_000;

interface ShareOptions extends CommonOptions {
  readonly with?: string;
  readonly group?: string;
  readonly link?: boolean;
  readonly days: string;
}

async function share(context: Context, given: string, options: ShareOptions): Promise<void> {
  const client = clientOf(context, options);
  const job_id = await resolveJobId(client, given);
  const { with: username, group: group_id, link = false, days } = options;
  const wanted = [username, group_id, link || undefined].filter((subject) => subject !== undefined);
  if (wanted.length > 1) throw new UserError('give one of --with, --group and --link', EXIT.usage);
  if (wanted.length === 0) {
    const { shares } = await client.request('GET', '/shares', { query: { job_id } });
    answer(context, options, shares, () =>
      table(
        ['SHARE', 'WITH', 'UNTIL'],
        shares.map((s) => [s.share_id, s.user?.username ?? s.group?.name ?? 'link', s.expires_at ?? 'for good']),
      ),
    );
    return;
  }
  if (!/^\d{1,4}$/.test(days)) throw new UserError('--days takes a whole number', EXIT.usage);
  const expires_at = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
  const subject =
    username !== undefined
      ? ({ with: 'user', username } as const)
      : group_id !== undefined
        ? ({ with: 'group', group_id } as const)
        : ({ with: 'link', expires_at } as const);
  const made = await client.request('POST', '/shares', { body: { job_id, ...subject } });
  answer(context, options, made, () =>
    made.path === undefined ? `${made.share_id}  shared` : `${made.share_id}  ${client.baseUrl}${made.path}`,
  );
}

/** share, unshare, groups. */
export function addPeopleCommands(program: Command, context: Context): void {
  program
    .command('share <job>')
    .description('Let somebody read a job; without an option: who has access')
    .option('--with <user>', 'a user, by the exact name')
    .option('--group <id>', 'a group of yours')
    .option('--link', 'whoever has the link that is shown')
    .option('--days <n>', 'how long the link is valid', '7')
    .action((job: string, _, command: Command) => share(context, job, command.optsWithGlobals()));
  program
    .command('unshare <share>')
    .description('End a share')
    .action(async (share_id: string, _, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const ended = await clientOf(context, options).request('DELETE', '/shares', { query: { share_id } });
      answer(context, options, ended, () => ended.message);
    });
  program
    .command('groups')
    .description('Your groups; the console says who is in them')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const { groups } = await clientOf(context, options).request('GET', '/groups');
      answer(context, options, groups, () =>
        table(
          ['GROUP', 'NAME', 'ROLE', 'MEMBERS'],
          groups.map((g) => [g.group_id, g.name, g.role, String(g.member_count)]),
        ),
      );
    });
}
