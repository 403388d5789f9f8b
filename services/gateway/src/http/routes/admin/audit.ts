import type { authOperator } from '@tally/contracts';
import type { CallOptions } from '@tally/service-kit';
import type { z } from 'zod';
import { type Answer, answer } from '../../answer/answer.js';
import { toTimestamp } from '../../mappers.js';
import type { RouteServices } from '../../route.js';
import { type auditEntry, auditQuery, auditResponse } from '../../schemas/admin/audit.js';
import { defineOperatorRoute, describeQuery } from './define-operator-route.js';

type Entry = z.output<typeof auditEntry>;
type Asked = Omit<authOperator.ListOperatorActionsRequest, 'pageSize' | 'beforeActionId'>;

const MEMBERS = [
  'action_id',
  'time',
  'operator_id',
  'operator',
  'action',
  'target',
  'reason',
  'request_id',
  'failure',
] as const satisfies readonly (keyof Entry)[];
/** Entries that are read at once for a file. */
const FILE_PAGE_SIZE = 1_000;

/** GET /admin/audit */
export const listAudit = defineOperatorRoute({
  method: 'GET',
  path: '/admin/audit',
  action: 'audit.list',
  summary: 'The trail of what operators do',
  description: 'The database refuses every change of it. As a file: one line for each entry, the newest first.',
  query: auditQuery,
  responses: {
    200: {
      description: 'A page, or a file',
      schema: auditResponse,
      alternatives: { 'text/csv': 'Comma-separated, RFC 4180', 'application/x-ndjson': 'A JSON object a line' },
    },
  },
  targetOf: ({ query }) => describeQuery(query),
  handle: async ({ query, call }, services): Promise<Answer> => {
    const { format, page_size: pageSize, before, changes, operator = '', target = '', from, to } = query;
    const asked = { isChangesOnly: changes, operatorName: operator, target, fromTime: from, toTime: to };
    if (format !== 'json') return fileOf(format, readAll(services, asked, call));
    const beforeActionId = before === undefined ? undefined : BigInt(before);
    const { actions } = await services.authOperator.listOperatorActions({ ...asked, pageSize, beforeActionId }, call);
    const entries = actions.map(toEntry);
    const last = entries.length < pageSize ? undefined : entries.at(-1);
    return answer({
      message: 'Trail',
      entries,
      ...(last === undefined ? {} : { next_before: last.action_id }),
    });
  },
});

function toEntry(action: authOperator.OperatorAction): Entry {
  return {
    action_id: Number(action.actionId),
    time: toTimestamp(action.happenTime, 'happen_time'),
    operator_id: Number(action.operatorId),
    operator: action.operatorName,
    action: action.action,
    target: action.target,
    reason: action.reason,
    request_id: action.requestId,
    failure: action.failure,
  };
}

async function* readAll({ authOperator }: RouteServices, asked: Asked, call: CallOptions): AsyncGenerator<Entry[]> {
  let beforeActionId: bigint | undefined;
  for (;;) {
    const request = { ...asked, pageSize: FILE_PAGE_SIZE, beforeActionId };
    const { actions } = await authOperator.listOperatorActions(request, call);
    yield actions.map(toEntry);
    if (actions.length < FILE_PAGE_SIZE) return;
    beforeActionId = actions.at(-1)?.actionId;
  }
}

/** A value of a table: quoted where it must be, and never a formula for a program that opens it. */
function toCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function* toLines(format: 'csv' | 'jsonl', pages: AsyncIterable<readonly Entry[]>): AsyncGenerator<string> {
  if (format === 'csv') yield `${MEMBERS.join(',')}\r\n`;
  for await (const entries of pages) {
    yield entries
      .map((entry) =>
        format === 'csv' ? `${MEMBERS.map((name) => toCell(entry[name])).join(',')}\r\n` : `${JSON.stringify(entry)}\n`,
      )
      .join('');
  }
}

const fileOf = (format: 'csv' | 'jsonl', pages: AsyncIterable<readonly Entry[]>): Answer => ({
  kind: 'stream',
  status: 200,
  text: toLines(format, pages),
  file: {
    contentType: format === 'csv' ? 'text/csv' : 'application/x-ndjson',
    name: `tally-audit.${format}`,
    isCompressible: true,
  },
});
