import { describe, expect, it } from '@jest/globals';
import { createIdleCollector } from './idle-collection.js';

const MIB = 1024 * 1024;

function setUp() {
  const state = { processorMs: 0, liveBytes: 10 * MIB, garbageBytes: 0, collections: 0 };
  const check = createIdleCollector(
    {
      processorMs: () => state.processorMs,
      heldBytes: () => state.liveBytes + state.garbageBytes,
      collect: async () => {
        state.garbageBytes = 0;
        state.processorMs += 40;
        state.collections += 1;
      },
    },
    1_000,
  );
  const interval = async (usedMs: number, garbageBytes: number) => {
    state.processorMs += usedMs;
    state.garbageBytes += garbageBytes;
    await check();
    return state.collections;
  };
  return { state, interval };
}

describe('an idle process', () => {
  it('collects what it has left once, when the work is over', async () => {
    const { interval } = setUp();
    expect(await interval(900, 60 * MIB)).toBe(0);
    expect(await interval(0, 0)).toBe(1);
    expect(await interval(0, 0)).toBe(1);
  });

  it('does not collect for little, but when that has come together', async () => {
    const { state, interval } = setUp();
    await interval(0, 20 * MIB);
    expect(state.collections).toBe(1);
    expect(await interval(10, 10 * MIB)).toBe(1);
    expect(await interval(10, 10 * MIB)).toBe(2);
  });

  it('does not take what is in use for garbage', async () => {
    const { state, interval } = setUp();
    state.liveBytes = 500 * MIB;
    expect(await interval(0, 0)).toBe(1);
    expect(await interval(0, 1 * MIB)).toBe(1);
  });
});
