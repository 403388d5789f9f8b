import fs from 'node:fs';
import type { Output, TallyClient } from '@tally/client';
import { type Command, Option } from 'commander';
import type { Context } from '../context.js';
import { UserError } from '../exit-codes.js';
import { downloadFile, type OutOptions } from '../out-file.js';
import { table } from '../terminal/plot.js';
import { type LoginOptions, withSession } from './account.js';
import {
  type Adding,
  addingTo,
  QUOTA_COLUMNS,
  type QuotaOptions,
  quotaCells,
  readQuota,
  words,
} from './admin-command.js';

type ListedClass = Output<'GET', '/admin/classes'>['classes'][number];
type Made = Output<'POST', '/admin/classes/invitations'>['invitations'];

interface ClassOptions extends LoginOptions, OutOptions, QuotaOptions {
  readonly reason?: string;
  readonly students: string;
  readonly ends: string;
  readonly atEnd: 'block' | 'delete';
  readonly template?: readonly string[];
  readonly format: string;
  readonly delete?: boolean;
}

/** Commands of teachers: each signs in, as a token must not do this, and out. */
export function addClassCommands(program: Command, context: Context): void {
  const group = program
    .command('class')
    .description('For teachers: accounts for a class, links, quota, export of all work, and the end');
  const adding = addingTo<ClassOptions>(group, context);
  addLists(adding);
  addMaking(adding);
  addEnd(adding, context);
}

const linksText = (invitations: Made) =>
  table(
    ['STUDENT', 'LINK'],
    invitations.map((one) => [one.username, one.link]),
  );

function addLists({ add, run }: Adding<ClassOptions>): void {
  add('list', 'Your classes; of an operator all').action(
    run(
      async (client) => (await client.request('GET', '/admin/classes')).classes,
      (classes) =>
        table(
          ['CLASS', 'NAME', 'TEACHER', 'STUDENTS', 'JOINED', 'ENDS', 'THEN'],
          classes.map((one) => [
            one.class_id,
            one.name,
            one.teacher,
            String(one.students.length),
            String(one.students.filter(({ last_login_at }) => last_login_at !== null).length),
            one.ended ? 'has ended' : one.ends_at,
            one.at_end,
          ]),
        ),
    ),
  );
  add('show', 'The students of a class, what they have, and what each may use')
    .argument('<class>', 'name or id of the class')
    .action(
      run(
        (client, [name = '']) => findClass(client, name),
        ({ students, templates }) =>
          [
            table(
              ['STUDENT', 'STATE', 'LAST LOGIN', 'JOBS', 'PROJECTS', ...QUOTA_COLUMNS],
              students.map(({ username, state, last_login_at, jobs, projects, quota }) => [
                username,
                state,
                last_login_at ?? '',
                String(jobs),
                String(projects),
                ...quotaCells(quota),
              ]),
            ),
            ...templates.map(({ project_id, title }) => `template ${project_id} ${title}`),
          ].join('\n'),
      ),
    );
}

/** The only class with an id or name. */
async function findClass(client: TallyClient, name: string): Promise<ListedClass> {
  const { classes } = await client.request('GET', '/admin/classes');
  const found = classes.filter((one) => one.class_id === name || one.name === name);
  const [first] = found;
  if (first === undefined) throw new UserError(`you have no class ${name}`);
  if (found.length > 1) throw new UserError(`several classes are named ${name}: give the id of one`);
  return first;
}

const quotaOptions = (command: Command) =>
  command
    .option('--processor-seconds <n>', 'of each student in a calendar month of UTC; 0: no bound')
    .option('--stored-bytes <n>', 'of each student; 0: no bound')
    .option('--running-tasks <n>', 'of each student at a time; 0: no bound');

/** A day ends when it does here. */
function readEnd(day: string): string {
  const at = new Date(/^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T23:59:59` : day);
  if (Number.isNaN(at.getTime())) throw new UserError(`--ends must be a day such as 2026-07-31, not ${day}`);
  return at.toISOString();
}

/** One name a line; empty lines are none. */
function readNames(file: string): string[] {
  const text = fs.readFileSync(file, 'utf8');
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : line.trim()));
}

function addMaking({ add, addChange, run }: Adding<ClassOptions>): void {
  quotaOptions(add('make', 'Make an account and a link for each name of a list'))
    .argument('<name>', 'of the class')
    .requiredOption('--students <file>', 'with a user name a line')
    .requiredOption('--ends <day>', 'last day, YYYY-MM-DD')
    .addOption(
      new Option('--at-end <what>', 'what becomes of the accounts then').choices(['block', 'delete']).default('block'),
    )
    .option('--template <id...>', 'projects of yours that the students begin with')
    .option('-r, --reason <text>', 'why; it is in the trail. The name of the class unless given')
    .action(
      run(
        async (client, [name = ''], options) => {
          const body = {
            name,
            usernames: readNames(options.students),
            ends_at: readEnd(options.ends),
            at_end: options.atEnd,
            quota: readQuota(options),
            templates: [...(options.template ?? [])],
            reason: options.reason ?? name,
          };
          return client.request('POST', '/admin/classes', { body });
        },
        ({ invitations }) => linksText(invitations),
      ),
    );
  addChange('links', 'New links: of a student, or of all who have not joined')
    .argument('<class>', 'name or id of the class')
    .argument('[student]', 'user name')
    .action(
      run(
        async (client, [name = '', student], { reason = '' }) => {
          const { class_id, students } = await findClass(client, name);
          const found = students.find(({ username }) => username === student);
          if (student !== undefined && found === undefined) throw new UserError(`${student} is not in the class`);
          const body = { class_id, reason, ...(found === undefined ? {} : { user_id: found.user_id }) };
          return client.request('POST', '/admin/classes/invitations', { body });
        },
        ({ invitations }) => linksText(invitations),
      ),
    );
  quotaOptions(addChange('quota', 'Set what each student may use; without a bound as the server is set'))
    .argument('<class>', 'name or id of the class')
    .action(
      run(async (client, [name = ''], options) => {
        const { class_id } = await findClass(client, name);
        const body = { class_id, ...readQuota(options), reason: options.reason ?? '' };
        return client.request('PUT', '/admin/classes/quota', { body });
      }, words),
    );
}

function addEnd({ add, addChange, run }: Adding<ClassOptions>, context: Context): void {
  add('export', 'All work of a class as a zip with a folder for each student')
    .argument('<class>', 'name or id of the class')
    .option('-f, --format <name>', 'of the results: hdf5, npz or csv', 'hdf5')
    .option('-o, --out <file>', 'write this file instead of <class id>.zip')
    .option('--force', 'overwrite it')
    .action(async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const options = command.optsWithGlobals<ClassOptions>();
      await withSession(context, options, async (client) => {
        const { class_id } = await findClass(client, command.args[0] ?? '');
        const query = new URLSearchParams({ class_id, format: options.format });
        const out = options.out ?? `${class_id}.zip`;
        await downloadFile(context, client, { ...options, out }, `/admin/classes/export?${query.toString()}`);
      });
    });
  addChange('end', 'End a class now: accounts are blocked, or deleted with all that is theirs')
    .argument('<class>', 'name or id of the class')
    .option('--delete', 'delete accounts, jobs, results, logs and projects of all students; it cannot be taken back')
    .action(
      run(
        async (client, [name = ''], options) => {
          const { class_id } = await findClass(client, name);
          const accounts = options.delete === true ? ('delete' as const) : ('block' as const);
          const body = { class_id, accounts, reason: options.reason ?? '' };
          return client.request('POST', '/admin/classes/end', { body });
        },
        ({ message, ended }) => `${message}; ${ended} sessions and tokens ended`,
      ),
    );
}
