import { TallyClient } from '@tally/client';
import type { Argument, Command, Option } from 'commander';
import { readConfig } from '../config-file.js';
import { type Context, urlOf } from '../context.js';
import { LAST, newestJobs } from '../job-id.js';
import { listSweeps } from '../sweep/record.js';
import { FORMATS } from './results.js';
import { SIMULATORS } from './submit.js';

const STATES = ['pending', 'running', 'merging_queued', 'merging_running', 'completed', 'failed', 'canceled'];
/** A shell waits for what is offered. */
const NETWORK_MS = 2_000;
const JOBS_MAX = 50;

type Values = (context: Context) => Promise<readonly string[]> | readonly string[];

/** Asks the service as the user who is signed in; nothing where there is none, or no answer. */
async function ask<T>(
  context: Context,
  question: (client: TallyClient) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const client = new TallyClient(urlOf(context, {}));
  const token = context.env.TALLY_TOKEN ?? readConfig(context.env).token;
  if (token !== undefined) client.token = token.trim();
  const late = new Promise<readonly T[]>((resolve) => {
    setTimeout(() => resolve([]), NETWORK_MS).unref();
  });
  return Promise.race([question(client).catch(() => []), late]);
}

const jobs: Values = (context) =>
  ask(context, async (client) => {
    const ids = [LAST];
    for await (const { job_id: id } of newestJobs(client, JOBS_MAX)) if (ids.push(id) > JOBS_MAX) break;
    return ids;
  });
const templates: Values = (context) =>
  ask(context, async (client) => (await client.request('GET', '/templates')).templates.map(({ name }) => name));
const clusters: Values = (context) =>
  ask(context, async (client) => [
    'default',
    ...(await client.request('GET', '/clusters')).clusters.map(({ cluster_name: name }) => name),
  ]);

/** Values of options, by their long names. */
const OF_OPTIONS: Readonly<Record<string, Values>> = {
  '--format': () => FORMATS,
  '--state': () => STATES,
  '--sim': () => SIMULATORS,
  '--template': templates,
  '--cluster': clusters,
  '--attach': ({ env }) => listSweeps(env),
  '--scopes': () => ['read', 'submit', 'read,submit'],
};
/** Values of arguments, by their names. */
const OF_ARGUMENTS: Readonly<Record<string, Values>> = {
  job: jobs,
  jobs,
  other: jobs,
  shell: () => ['bash', 'zsh', 'fish'],
};

const isOf = (option: Option, word: string): boolean => option.long === word || option.short === word;

/** What may come next after these words, of which the last has only begun; files, where nothing is known. */
export async function completionsOf(program: Command, context: Context, words: readonly string[]): Promise<string[]> {
  const before = words.slice(0, -1);
  const begun = words.at(-1) ?? '';
  let command = program;
  let waiting: Option | undefined; // an option whose value comes next
  let places = 0;
  for (const word of before) {
    const option = [...command.options, ...program.options].find((one) => isOf(one, word));
    const sub = places === 0 ? command.commands.find((one) => one.name() === word) : undefined;
    if (waiting !== undefined) waiting = undefined;
    else if (option !== undefined) waiting = option.required || option.optional ? option : undefined;
    else if (sub !== undefined) command = sub;
    else if (!word.startsWith('-')) places += 1;
  }
  const options = command === program ? program.options : [...command.options, ...program.options];
  const valuesOf = async (values: Values | undefined) => (values === undefined ? [] : values(context));
  const offered = waiting
    ? await valuesOf(OF_OPTIONS[waiting.long ?? ''])
    : begun.startsWith('-')
      ? options.flatMap(({ long }) => long ?? [])
      : command.commands.length > 0
        ? command.commands.filter((one) => !one.name().startsWith('complete')).map((one) => one.name())
        : await valuesOf(argumentValues(command, places));
  return offered.filter((word) => word.startsWith(begun));
}

function argumentValues(command: Command, index: number): Values | undefined {
  const all: readonly Argument[] = command.registeredArguments;
  const argument = all[index] ?? (all.at(-1)?.variadic === true ? all.at(-1) : undefined);
  if (command.name() === 'templates') return templates;
  return argument === undefined ? undefined : OF_ARGUMENTS[argument.name()];
}

/** complete, which shells call. */
export function addCompletionCommand(program: Command, context: Context): void {
  program
    .command('complete [words...]', { hidden: true })
    .allowUnknownOption()
    .action(async (words: string[]) => {
      for (const word of await completionsOf(program, context, words)) context.say(word);
    });
}
