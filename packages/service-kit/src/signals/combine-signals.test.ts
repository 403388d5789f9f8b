import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { combineSignals } from './combine-signals.js';

describe('combined signals', () => {
  it('abort with the reason of the first', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const { signal } = combineSignals(one.signal, two.signal);
    expect(signal.aborted).toBe(false);
    two.abort('second');
    one.abort('first');
    expect(signal.reason).toBe('second');
  });

  it('are aborted from the beginning when one is', () => {
    const { signal } = combineSignals(new AbortController().signal, AbortSignal.abort('before'));
    expect([signal.aborted, signal.reason]).toEqual([true, 'before']);
  });

  it('leave nothing behind when they end', () => {
    const lasting = new AbortController();
    const { signal, end } = combineSignals(lasting.signal, new AbortController().signal);
    end();
    expect(getEventListeners(lasting.signal, 'abort')).toEqual([]);
    lasting.abort();
    expect(signal.aborted).toBe(false);
  });
});
