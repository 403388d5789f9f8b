/** A line of usage. */
export interface UsageDay {
  readonly day: string;
  readonly user: string;
  readonly cluster: string;
  readonly processor_seconds: number;
}

/** What a spreadsheet takes for a formula. */
const FORMULA = /^\s*[=+\-@]/;

/** A field of a table: quoted with a comma, a quote or a line break (RFC 4180, 2). An apostrophe before a formula makes it text. */
export function quote(field: string): string {
  const text = FORMULA.test(field) ? `'${field}` : field;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The days as a table. */
export const writeUsageCsv = (days: readonly UsageDay[]): string =>
  [
    'day,user,cluster,processor_seconds',
    ...days.map(({ day, user, cluster, processor_seconds: seconds }) =>
      [day, quote(user), quote(cluster), seconds].join(),
    ),
    '',
  ].join('\n');
