import type { Input, TallyClient } from '@tally/client';
import type { Command } from 'commander';
import { answer, type CommonOptions, type Context, clientOf } from '../context.js';
import { UserError } from '../exit-codes.js';
import { resolveJobId, resolveJobIds } from '../job-id.js';

type Change = Omit<NonNullable<Input<'PUT', '/jobs/labels'>['body']>, 'job_id'>;

const update = (client: TallyClient, jobId: string, change: Change) =>
  client.request('PUT', '/jobs/labels', { body: { job_id: jobId, ...change } });

interface TagOptions extends CommonOptions {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly favourite?: boolean;
  readonly archive?: boolean;
  readonly note?: string;
}

async function tag(context: Context, given: readonly string[], options: TagOptions): Promise<void> {
  const { add, remove, favourite, archive, note } = options;
  const others = { favourite, archived: archive, note };
  if (add.length + remove.length === 0 && Object.values(others).every((value) => value === undefined)) {
    throw new UserError('nothing to change: give --add, --remove, --favourite, --archive or --note');
  }
  const client = clientOf(context, options);
  const changed: Awaited<ReturnType<typeof update>>[] = [];
  for (const jobId of await resolveJobIds(client, given)) {
    changed.push(await update(client, jobId, { add_tags: [...add], remove_tags: [...remove], ...others }));
  }
  answer(context, options, changed, () =>
    changed.map(({ job_id: jobId, labels, title }) => `${jobId}  ${title}  ${labels.tags.join(', ')}`).join('\n'),
  );
}

async function rename(context: Context, given: string, title: string, options: CommonOptions): Promise<void> {
  const client = clientOf(context, options);
  const renamed = await update(client, await resolveJobId(client, given), { title });
  answer(context, options, renamed, () => `${renamed.job_id}  ${renamed.title}`);
}

const several = (value: string, before: readonly string[]) => [...before, value];

/** tag, rename. */
export function addLabelCommands(program: Command, context: Context): void {
  program
    .command('tag <jobs...>')
    .description('Change tags and note of jobs, and whether they are favourites or archived')
    .option('--add <tag>', 'add a tag; may be repeated', several, [])
    .option('--remove <tag>', 'remove a tag; may be repeated', several, [])
    .option('--favourite', 'make them favourites')
    .option('--no-favourite', 'no favourites any more')
    .option('--archive', 'leave them out of lists')
    .option('--no-archive', 'take them back into lists')
    .option('--note <text>', 'what you want to remember of them; empty: none any more')
    .addHelpText(
      'after',
      `
Examples:
  $ tally tag @last --add qa --note "Reference of May"
  $ tally tag 6595c475 f00dcafe --archive`,
    )
    .action((jobs: string[], _, command: Command) => tag(context, jobs, command.optsWithGlobals()));
  program
    .command('rename <job> <title>')
    .description('Give a job another title')
    .action((job: string, title: string, _, command: Command) =>
      rename(context, job, title, command.optsWithGlobals()),
    );
}
