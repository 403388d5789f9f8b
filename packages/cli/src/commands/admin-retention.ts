import type { Output } from '@tally/client';
import { UserError } from '../exit-codes.js';
import { table } from '../terminal/plot.js';
import { type Adding, type ReasonOptions, words } from './admin-command.js';

type Retention = Output<'GET', '/admin/retention'>;

interface RetentionOptions extends ReasonOptions {
  readonly rule?: readonly string[];
  readonly warningDays: string;
  readonly days: string;
}

/** Shows rules, or what others would do; sets them. */
export function addRetention({ add, addChange, run }: Adding): void {
  add('retention', 'Rules by which jobs, results and logs are removed, and what they remove; changes nothing')
    .option('--dry-run', 'say so: nothing is changed either way')
    .option('--rule <data:state:days...>', 'what these would remove, such as logs:any:30 jobs:FAILED:90')
    .option('--warning-days <n>', 'of these', '14')
    .option('--days <n>', 'what goes within so many days', '30')
    .action(
      run((client, _, options) => {
        const { rule, warningDays: warning_days, days } = options as RetentionOptions;
        const query = { days, ...(rule === undefined ? {} : { rules: rule.join(','), warning_days }) };
        return client.request('GET', '/admin/retention', { query: query as never });
      }, retentionText),
    );
  addChange('set-retention', 'Set the rules in place of the earlier ones; without a rule nothing is removed')
    .option('--rule <data:state:days...>', 'data is jobs, results or logs; state is any, COMPLETED, FAILED or CANCELED')
    .option('--warning-days <n>', 'nothing goes sooner than so many days after this change', '14')
    .action(
      run((client, _, options) => {
        const { rule: given = [], warningDays, reason } = options as RetentionOptions;
        const body = { rules: given.map(readRule), warning_days: Number(warningDays), reason };
        return client.request('PUT', '/admin/retention', { body });
      }, words),
    );
}

function readRule(text: string) {
  const [data, state, days, ...rest] = text.split(':');
  if (days === undefined || rest.length > 0) throw new UserError(`a rule is data:state:days, not ${text}`);
  return { data: data as 'jobs', state: state as 'any', after_days: Number(days) };
}

function retentionText({ rules, warning_days, set_at, sums, removals, bytes }: Retention): string {
  if (rules.length === 0) return 'there are no rules: nothing is removed';
  const when = set_at === null ? 'not set' : `set ${set_at}`;
  const sumOf = (rule: Retention['rules'][number]) =>
    sums.find(
      ({ data, state, after_days }) => data === rule.data && state === rule.state && after_days === rule.after_days,
    );
  return [
    `${when}; nothing goes sooner than ${warning_days} days after a change`,
    table(
      ['WHAT', 'ENDED AS', 'AFTER DAYS', 'JOBS', 'USERS', 'FROM'],
      rules.map((rule) => {
        const sum = sumOf(rule);
        const counts = [rule.after_days, sum?.jobs ?? 0, sum?.users ?? 0].map(String);
        return [rule.data, rule.state, ...counts, sum?.first_at ?? ''];
      }),
    ),
    table(
      ['GOES', 'WHAT', 'JOB', 'USER', 'BYTES'],
      removals.map((one) => [one.remove_at, one.data, one.job_id, one.username, String(one.bytes)]),
    ),
    `${bytes} bytes in these ${removals.length}`,
  ].join('\n');
}
