import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Logger, Sql } from '@tally/service-kit';
import type { Database } from './database.js';
import { createEventAnnouncer } from './event-announcer.js';

function announcing(answers: readonly Promise<number>[]) {
  const sent: unknown[] = [];
  const warnings: unknown[] = [];
  const run = (statement: Sql) => {
    sent.push(statement.values[1]);
    return answers[sent.length - 1] ?? Promise.resolve(1);
  };
  const logger = { warn: (fields: unknown) => warnings.push(fields) } as unknown as Logger;
  const announce = createEventAnnouncer({ run } as unknown as Database, logger);
  return { announce, sent, warnings };
}

it('owners that come while an announcement is sent share the next, each once', async () => {
  let end = (_count: number) => {};
  const first = new Promise<number>((resolve) => {
    end = resolve;
  });
  const { announce, sent } = announcing([first]);
  announce([1n]);
  await nextTurn();
  announce([2n, 3n]);
  announce([2n]);
  announce([]);
  expect(sent).toEqual([[1n]]);
  end(1);
  await nextTurn();
  expect(sent).toEqual([[1n], [2n, 3n]]);
});

it('an announcement that fails is logged, and later ones are sent', async () => {
  const { announce, sent, warnings } = announcing([Promise.reject(new Error('gone'))]);
  announce([1n]);
  await nextTurn();
  announce([2n]);
  await nextTurn();
  expect(sent).toEqual([[1n], [2n]]);
  expect(warnings).toHaveLength(1);
});
