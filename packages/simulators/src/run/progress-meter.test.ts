import { describe, expect, it } from '@jest/globals';
import { createProgressMeter } from './progress-meter.js';

describe('the progress of a task', () => {
  it('gives the remaining time from the rate so far', () => {
    let nowMs = 0;
    const meter = createProgressMeter(1000, () => nowMs);
    nowMs = 500_000; // the deck was slow
    meter.begin();
    expect(meter.read()).toEqual({ simulatedPrimaries: 0 });
    nowMs = 510_000;
    meter.update(250);
    expect(meter.read()).toEqual({ simulatedPrimaries: 250, remainingMs: 30_000 });
    nowMs = 512_000;
    expect(meter.read().remainingMs).toBe(28_000);
  });

  it('never goes back, never beyond the task, and ignores what is no number', () => {
    const meter = createProgressMeter(1000, () => 0);
    meter.update(400);
    for (const odd of [300, -1, Number.NaN]) meter.update(odd);
    expect(meter.read().simulatedPrimaries).toBe(400);
    meter.update(4000);
    expect(meter.read()).toEqual({ simulatedPrimaries: 1000, remainingMs: 0 });
  });
});
