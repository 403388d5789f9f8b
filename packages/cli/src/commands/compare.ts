import { formatReading, type Output } from '@tally/client';
import type { Command } from 'commander';
import { answer, type CommonOptions, type Context, clientOf } from '../context.js';
import { UserError } from '../exit-codes.js';
import { describe, type JobStatus, statusOf } from '../job.js';
import { resolveJobId } from '../job-id.js';
import { table } from '../terminal/plot.js';

type ComparedPage = Output<'GET', '/results/compare'>['estimators'][number]['pages'][number];

interface CompareOptions extends CommonOptions {
  readonly estimator?: string;
  readonly page?: string;
  readonly dose: string;
  readonly distance: string;
  readonly cutoff: string;
}

/** A number above 0. @throws UserError */
function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new UserError(`--${name} must be a number above 0, not ${text}`);
  return value;
}

/** How the results of another job differ from those of this one: the other less this one. */
async function compare(context: Context, own: string, against: string, options: CompareOptions): Promise<void> {
  const client = clientOf(context, options);
  const [jobId, other] = [await resolveJobId(client, own), await resolveJobId(client, against)];
  const query = {
    job_id: jobId,
    with: other,
    ...(options.estimator === undefined ? {} : { estimator_name: options.estimator }),
    ...(options.page === undefined ? {} : { page_number: positive('page', options.page) }),
    gamma_dose_percent: positive('dose', options.dose),
    gamma_distance_mm: positive('distance', options.distance),
    gamma_cutoff_percent: positive('cutoff', options.cutoff),
  };
  const compared = await client.request('GET', '/results/compare', { query });
  const jobs = [
    ['this', jobId],
    ['other', other],
  ] as const;
  const heads =
    options.json === true ? [] : jobs.map(async ([word, id]) => headOf(word, id, await statusOf(client, id)));
  const lines = await Promise.all(heads);
  answer(context, options, compared, () =>
    [
      ...lines,
      table(
        ['ESTIMATOR', 'PAGE', 'CHI2/BINS', 'GAMMA', 'OTHER - THIS'],
        compared.estimators.flatMap(({ name, pages }) => pages.map((page) => [name, page.name, ...wordsOf(page)])),
      ),
    ].join('\n'),
  );
}

/** What one of the two jobs simulates. */
function headOf(word: string, jobId: string, { description }: JobStatus): string {
  const facts = description === undefined ? [] : [description.title, describe(description)];
  return `${word.padEnd(5)}  ${[jobId, ...facts].join('; ')}`;
}

function wordsOf(page: ComparedPage): string[] {
  if (page.not_compared !== undefined) return [page.not_compared];
  const { reading_differences: differences = [], chi_square: chiSquare, degrees_of_freedom: bins, gamma } = page;
  const shown = differences.filter(({ name }) => name !== 'mean_error');
  return [
    chiSquare === undefined ? '' : `${chiSquare.toPrecision(4)}/${bins}`,
    gamma === undefined ? (page.gamma_left_out ?? '') : `${(100 * gamma.pass_rate).toFixed(1)} % of ${gamma.bins} bins`,
    shown.map((one) => `${one.name} ${formatReading(one)}`).join(', '),
  ];
}

/** compare. */
export function addCompareCommand(program: Command, context: Context): void {
  program
    .command('compare <job> <other>')
    .description(
      'How the results of another job differ from those of this one: readings (other - this), chi square, gamma pass rate',
    )
    .option('-e, --estimator <name>', 'only this estimator')
    .option('--page <n>', 'only this page')
    .option('--dose <percent>', 'difference of dose that agrees, of the largest of this job', '2')
    .option('--distance <mm>', 'distance that agrees', '1')
    .option('--cutoff <percent>', 'part of the largest dose below which a bin is not looked at', '10')
    .action((jobId: string, other: string, _, command: Command) =>
      compare(context, jobId, other, command.optsWithGlobals()),
    );
}
