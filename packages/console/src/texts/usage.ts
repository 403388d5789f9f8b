/** The page of usage. */
export const USAGE_TEXTS = {
  title: 'Usage',
  whose: 'Whose',
  mine: 'My jobs',
  month: 'Month',
  total: (hours: string) => `${hours} of processor time`,
  hint: 'Measured by the runners: user and system time of every attempt, also of those that failed or were cancelled, on the day of its end (UTC).',
  running: (tasks: number, time: string) =>
    `${tasks} ${tasks === 1 ? 'task runs' : 'tasks run'} now and ${tasks === 1 ? 'has' : 'have'} used ${time}; that counts when ${tasks === 1 ? 'it ends' : 'they end'}.`,
  stored: (size: string) => `${size} stored`,
  csv: 'CSV',
  none: 'Nothing was counted in this month.',
  chart: 'Processor time by day',
  hours: 'hours',
  minutes: 'minutes',
  seconds: 'seconds',
  bar: (day: string, time: string) => `${day}: ${time}`,
  headings: { user: 'User', cluster: 'Where', time: 'Processor time' },
  here: 'Runners',
  quotas: {
    processor_seconds_month: 'Processor time this month',
    stored_bytes: 'Stored',
    running_tasks: 'Running tasks',
  },
  of: (used: string, limit: string) => `${used} of ${limit}`,
  resets: (day: string) => `begins anew on ${day}`,
} as const;
