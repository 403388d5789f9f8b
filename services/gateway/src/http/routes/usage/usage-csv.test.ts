import { expect, it } from '@jest/globals';
import { writeUsageCsv } from './usage-csv.js';

it('gives names that spreadsheets take for formulas as text', () => {
  const line = (user: string) => ({ day: '2026-03-01', user, cluster: '', processor_seconds: 1.5 });
  expect(writeUsageCsv([line('ada'), line('=HYPERLINK("x")'), line('+1'), line(' @a'), line('a,b')])).toBe(
    [
      'day,user,cluster,processor_seconds',
      '2026-03-01,ada,,1.5',
      `2026-03-01,"'=HYPERLINK(""x"")",,1.5`,
      "2026-03-01,'+1,,1.5",
      "2026-03-01,' @a,,1.5",
      '2026-03-01,"a,b",,1.5',
      '',
    ].join('\n'),
  );
});
