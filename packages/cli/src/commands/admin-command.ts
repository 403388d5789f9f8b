import type { TallyClient } from '@tally/client';
import type { Command } from 'commander';
import { answer, type Context } from '../context.js';
import { addLoginOptions, type LoginOptions, withSession } from './account.js';

export interface ReasonOptions extends LoginOptions {
  readonly reason: string;
}

/** How commands of operators and teachers are added: each signs in, as a token must not do this, and out. */
export interface Adding<Options extends LoginOptions = ReasonOptions> {
  readonly add: (name: string, description: string) => Command;
  /** One that wants a reason. */
  readonly addChange: (name: string, description: string) => Command;
  readonly run: <T>(
    work: (client: TallyClient, given: readonly string[], options: Options) => Promise<T>,
    text: (value: T) => string,
  ) => (...given: unknown[]) => Promise<void>;
}

/** Adds commands to a group of them. */
export function addingTo<Options extends LoginOptions = ReasonOptions>(
  group: Command,
  context: Context,
): Adding<Options> {
  const add = (name: string, description: string) => addLoginOptions(group.command(name).description(description));
  return {
    add,
    addChange: (name, description) =>
      add(name, description).requiredOption('-r, --reason <text>', 'why; it is in the trail'),
    run:
      (work, text) =>
      async (...given) => {
        const command = given.at(-1) as Command;
        const options = command.optsWithGlobals<Options>();
        const value = await withSession(context, options, (client) => work(client, command.args, options));
        answer(context, options, value, () => text(value));
      },
  };
}

/** What the service says. */
export const words = ({ message }: { readonly message: string }): string => message;

/** Bounds of a quota as they are typed. */
export interface QuotaOptions {
  readonly processorSeconds?: string;
  readonly storedBytes?: string;
  readonly runningTasks?: string;
}

/** The same as the service takes them; absent: null. */
export function readQuota({ processorSeconds, storedBytes, runningTasks }: QuotaOptions) {
  const number = (text?: string) => (text === undefined ? null : Number(text));
  return {
    processor_seconds_month: number(processorSeconds),
    stored_bytes: number(storedBytes),
    running_tasks: number(runningTasks),
  };
}

const boundText = (bound: number | null) => (bound === null ? 'usual' : bound === 0 ? 'none' : String(bound));

export const QUOTA_COLUMNS = ['PROCESSOR SECONDS A MONTH', 'STORED BYTES', 'RUNNING TASKS'];

/** The cells of {@link QUOTA_COLUMNS}. */
export const quotaCells = (quota: ReturnType<typeof readQuota>): string[] => [
  boundText(quota.processor_seconds_month),
  boundText(quota.stored_bytes),
  boundText(quota.running_tasks),
];

/** Writes a file of the service as it comes. */
export const writeFile = (context: Context, options: LoginOptions, path: string): Promise<void> =>
  withSession(context, options, async (client) => {
    const { body } = await client.download(path);
    for await (const piece of body) context.write(piece);
  });
