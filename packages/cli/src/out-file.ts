import fs from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { confirm, isCancel } from '@clack/prompts';
import type { TallyClient } from '@tally/client';
import type { Context } from './context.js';
import { UserError } from './exit-codes.js';

/** Options of commands that write files. */
export interface OutOptions {
  readonly out?: string;
  readonly force?: boolean;
}

/**
 * Asks before files are overwritten; where nobody can answer, `--force` is the answer.
 * @throws UserError when they must stay
 */
export async function permitOverwriting(
  context: Context,
  { force }: OutOptions,
  files: readonly string[],
): Promise<void> {
  const there = files.filter((file) => fs.existsSync(file));
  if (there.length === 0 || force === true) return;
  const names = there.join(', ');
  if (!context.isTerminal) throw new UserError(`${names} exists: give another name, or --force to overwrite it`);
  const isWanted = await confirm({ message: `Overwrite ${names}?`, initialValue: false });
  if (isCancel(isWanted) || !isWanted) throw new UserError('nothing was written');
}

/** Writes what the service makes into a file, which grows as it comes and has its name when it is whole. */
export async function downloadFile(
  context: Context,
  client: TallyClient,
  options: OutOptions & { readonly out: string },
  path: string,
): Promise<void> {
  const { out } = options;
  await permitOverwriting(context, options, [out]);
  const { body } = await client.download(path);
  const draft = `${out}.part`;
  await pipeline(body, fs.createWriteStream(draft));
  fs.renameSync(draft, out);
  context.note(`${fs.statSync(out).size} bytes in ${out}`);
}
