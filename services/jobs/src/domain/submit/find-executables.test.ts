import { describe, expect, it } from '@jest/globals';
import { type Logger, silentLogger } from '@tally/service-kit';
import type { Executables } from '@tally/simulators';
import { createExecutableFinder } from './find-executables.js';

/** Ports over a list of runners that a test may change, and what was logged. */
function portsOf(live: Executables[]) {
  const warnings: unknown[] = [];
  const logger: Logger = { ...silentLogger, warn: (fields) => void warnings.push(fields) };
  const runners = {
    report: async () => {},
    listLive: async () =>
      live.map((executables) => ({ executables, confinement: undefined, isRefusingFiles: false, slotCount: 1 })),
  };
  return { ports: { runners, logger }, warnings };
}

describe('executables of the direct platform', () => {
  it('are those of the live runners', async () => {
    const { ports } = portsOf([new Map([['simC', '11.2']])]);
    expect(await createExecutableFinder(ports, new Map())()).toEqual(new Map([['simC', '11.2']]));
  });

  it('are what the operator has written down, whatever runners say', async () => {
    const { ports } = portsOf([]);
    const written: Executables = new Map([['simD', '3.9']]);
    expect(await createExecutableFinder(ports, written)()).toBe(written);
  });

  it('are warned of once while runners disagree, and again after they agreed', async () => {
    const live: Executables[] = [new Map([['simB', '4']]), new Map()];
    const { ports, warnings } = portsOf(live);
    const find = createExecutableFinder(ports, new Map());
    expect(await find()).toEqual(new Map());
    await find();
    expect(warnings).toEqual([{ simulators: ['simB'] }]);
    const [, other] = live.splice(0, 2, new Map([['simB', '4']]));
    expect(await find()).toEqual(new Map([['simB', '4']]));
    live.push(other ?? new Map());
    await find();
    expect(warnings).toHaveLength(2);
  });
});
