import { describe, expect, it } from '@jest/globals';
import type { Outbox, OutboxMessage } from '../ports.js';
import { createDispatcher } from './dispatch-messages.js';

const settings = {
  dispatchWindowTasks: 4,
  publishTimeoutMs: 100,
  redispatchAfterMs: 60_000,
  redispatchAfterMaxMs: 60_000,
};
const message: OutboxMessage = {
  outboxId: 1n,
  jobId: 'job',
  taskId: 1,
  attemptId: 'attempt',
  requestId: 'request',
  traceparent: '',
};

/** A dispatcher, what it asked of its outbox, and what the outbox is to say. */
function openDispatcher() {
  const said = { isWindowFull: false, isReserveFull: false, isDue: false, messages: [] as OutboxMessage[] };
  const asked: string[] = [];
  let reserving = async () => {};
  const outbox: Outbox = {
    look: async () => {
      asked.push('look');
      return { isDue: said.isDue, isWindowFull: said.isWindowFull };
    },
    reserve: async () => {
      asked.push('reserve');
      await reserving();
      return { messages: said.messages, isWindowFull: said.isReserveFull || said.isWindowFull };
    },
    markPublished: async () => {},
    giveBack: async () => {},
  };
  const dispatcher = createDispatcher({ outbox, publisher: { publish: async () => {} }, settings });
  const whileReserving = (work: () => void) => {
    reserving = async () => work();
  };
  return { dispatcher, said, asked, whileReserving };
}

describe('tasks that are added', () => {
  it('are sent at once while the window has room', async () => {
    const { dispatcher, asked } = openDispatcher();
    await dispatcher.round();
    expect(dispatcher.onTasks()).toBe(true);
    await dispatcher.round();
    expect(asked).toEqual(['look', 'reserve']);
  });

  it('wait for room while the window is full, and cost no statement', async () => {
    const { dispatcher, said, asked } = openDispatcher();
    said.isWindowFull = true;
    await dispatcher.round();
    expect([dispatcher.onTasks(), dispatcher.onTasks()]).toEqual([false, false]);
    expect(dispatcher.onRoom(1)).toBe(false);
    expect(dispatcher.onRoom(1)).toBe(true);
    said.messages = [message];
    await dispatcher.round();
    expect(asked).toEqual(['look', 'reserve']);
  });

  it('are found by the next look when others have made the room', async () => {
    const { dispatcher, said, asked } = openDispatcher();
    said.isWindowFull = true;
    await dispatcher.round();
    dispatcher.onTasks();
    Object.assign(said, { isDue: true, isWindowFull: false, messages: [message] });
    await dispatcher.round();
    expect(asked).toEqual(['look', 'look', 'reserve']);
  });

  it('are looked for again when they come while a round is under way, which may not see them', async () => {
    const { dispatcher, said, whileReserving } = openDispatcher();
    said.isWindowFull = true;
    await dispatcher.round();
    const woken: boolean[] = [];
    whileReserving(() => woken.push(dispatcher.onTasks()));
    said.isWindowFull = false;
    dispatcher.onMessages();
    await dispatcher.round();
    expect(woken).toEqual([true]);
  });

  it('are sent at once after a round that found none: that does not mean a full window', async () => {
    const { dispatcher, said, asked } = openDispatcher();
    await dispatcher.round();
    said.isReserveFull = true;
    dispatcher.onMessages();
    await dispatcher.round();
    expect(asked).toEqual(['look', 'reserve', 'look']);
    expect(dispatcher.onTasks()).toBe(true);
  });

  it('do not keep a merge waiting behind a full window', async () => {
    const { dispatcher, said, asked } = openDispatcher();
    said.isWindowFull = true;
    await dispatcher.round();
    expect(dispatcher.onMessages()).toBe(true);
    await dispatcher.round();
    expect(asked).toEqual(['look', 'reserve', 'look']);
    expect(dispatcher.onTasks()).toBe(false);
  });
});
