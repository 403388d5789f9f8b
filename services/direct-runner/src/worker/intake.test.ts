import { describe, expect, it } from '@jest/globals';
import { createIntake } from './intake.js';

/** Receives nothing until its signal aborts. */
const receiveNothing = (signal: AbortSignal) =>
  new Promise<string>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
const NEVER = new AbortController().signal;

describe('the intake of a runner', () => {
  it('ends what waits for a message when it closes, and asks again when it opens', async () => {
    const intake = createIntake();
    const asked: number[] = [];
    const received = intake.receive(async (signal) => {
      asked.push(asked.length);
      return asked.length === 1 ? receiveNothing(signal) : 'a message';
    }, NEVER);
    intake.set(false);
    await new Promise(setImmediate);
    expect(asked).toEqual([0]);
    intake.set(true);
    expect(await received).toBe('a message');
    expect(asked).toEqual([0, 1]);
  });

  it('asks for nothing while it is closed', async () => {
    const intake = createIntake();
    intake.set(false);
    const stopping = new AbortController();
    const received = intake.receive(() => Promise.reject(new Error('asked')), stopping.signal);
    stopping.abort(new Error('the runner stops'));
    await expect(received).rejects.toThrow('the runner stops');
  });

  it('passes on what goes wrong while it is open', async () => {
    const received = createIntake().receive(() => Promise.reject(new Error('no broker')), NEVER);
    await expect(received).rejects.toThrow('no broker');
  });
});
