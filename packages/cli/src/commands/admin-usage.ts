import type { Output } from '@tally/client';
import { type Command, Option } from 'commander';
import { answer, type Context } from '../context.js';
import { table } from '../terminal/plot.js';
import { type LoginOptions, withSession } from './account.js';
import { type Adding, writeFile } from './admin-command.js';

interface UsageOptions extends LoginOptions {
  readonly from?: string;
  readonly to?: string;
  readonly format: 'table' | 'csv';
}

/** What users have used, as a table or as a file. */
export function addUsage({ add }: Adding, context: Context): void {
  add('usage', 'Processor time and stored bytes by user and month, the newest month first')
    .option('--from <month>', 'first month, such as 2026-03; the last one unless given')
    .option('--to <month>', 'last month; this one unless given')
    .addOption(new Option('--format <format>', 'of the table').choices(['table', 'csv']).default('table'))
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<UsageOptions>();
      const { from, to, format } = options;
      const months = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      if (format === 'csv') {
        await writeFile(context, options, `/admin/usage?${new URLSearchParams({ ...months, format }).toString()}`);
        return;
      }
      const ask = withSession(context, options, (client) => client.request('GET', '/admin/usage', { query: months }));
      const { usage } = await ask;
      answer(context, options, usage, () => usageText(usage));
    });
}

const usageText = (usage: Output<'GET', '/admin/usage'>['usage']): string =>
  table(
    ['MONTH', 'USER', 'PROCESSOR SECONDS', 'STORED BYTES'],
    usage.map(({ month, user_id, username, processor_seconds, stored_bytes }) => [
      month,
      username || String(user_id),
      String(processor_seconds),
      stored_bytes === null ? '' : String(stored_bytes),
    ]),
  );
