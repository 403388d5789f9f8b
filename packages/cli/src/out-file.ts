import fs from 'node:fs';
import { confirm, isCancel } from '@clack/prompts';
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
