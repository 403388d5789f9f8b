import { z } from 'zod';
import { timestamp } from '../job.js';
import { plainText, queryInteger } from '../parameters.js';

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** Query of GET /admin/audit. */
export const auditQuery = z.object({
  format: z
    .enum(['json', 'csv', 'jsonl'])
    .default('json')
    .meta({ description: '`json`: a page; `csv` and `jsonl`: a file with all that matches' }),
  page_size: queryInteger(1, 1_000).default(100).meta({ description: 'Entries per page, of `json`' }),
  before: queryInteger(1, 999_999_999_999_999)
    .optional()
    .meta({ description: '`next_before` of the page before; absent: the newest' }),
  changes: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true')
    .meta({ description: 'false: with actions that only looked' }),
  operator: plainText.max(128).optional().meta({ description: 'Name of the operator' }),
  target: plainText.max(500).optional().meta({ description: 'Part of the target' }),
  from: instant.optional().meta({ type: 'string', format: 'date-time', description: 'From then on' }),
  to: instant.optional().meta({ type: 'string', format: 'date-time', description: 'Only before' }),
});

export const auditEntry = z.object({
  action_id: z.int().min(1),
  time: timestamp,
  operator_id: z.int().min(0).meta({ description: '0: a rule that operators have set, such as one of retention' }),
  operator: z.string().meta({ description: 'Name at that time' }),
  action: z.string().meta({ description: 'Stable word, such as jobs.cancel' }),
  target: z.string(),
  reason: z.string().meta({ description: 'Empty: the operator only looked' }),
  request_id: z.string(),
  failure: z.string().meta({ description: 'Code of the error that it ended with; empty: none' }),
});

export const auditResponse = z.object({
  message: z.string(),
  entries: z.array(auditEntry).meta({ description: 'The newest first' }),
  next_before: z.int().min(1).optional().meta({ description: 'For the next page; absent: this is the last one' }),
});
