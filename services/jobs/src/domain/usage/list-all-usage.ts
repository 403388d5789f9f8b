import { invalidField } from '../errors.js';
import type { MonthUsage, UsageStore } from './usage-ports.js';

const MONTHS_MAX = 12;

/**
 * What each user has used in each of some months.
 * @param fromMonth - YYYY-MM, UTC; both are within
 * @throws ServiceError REQUEST_INVALID
 */
export async function listAllUsage(
  { usage }: { readonly usage: Pick<UsageStore, 'listMonths'> },
  fromMonth: string,
  toMonth: string,
): Promise<readonly MonthUsage[]> {
  const count = readMonth('/to', toMonth) - readMonth('/from', fromMonth) + 1;
  if (count < 1) throw invalidField('/to', 'must not be before from');
  if (count > MONTHS_MAX) throw invalidField('/to', `must be within ${MONTHS_MAX} months from the first one`);
  return usage.listMonths(fromMonth, toMonth);
}

/** Months since the year 0. */
function readMonth(field: string, month: string): number {
  const [, year, number] = /^(2\d{3})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined) throw invalidField(field, 'must be a month, YYYY-MM');
  return 12 * Number(year) + Number(number);
}
