import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NOTHING_DELIVERED, taskEndFile } from './task-files.js';
import { openTaskStore, type TaskStore } from './task-store.js';

let folder: string;
let store: TaskStore;
const file = (name: string) => path.join(folder, 'tasks/7', name);
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-store-'));
  store = openTaskStore(folder, 7);
  await store.create();
});
afterEach(() => rmSync(folder, { recursive: true }));

const startTime = new Date('2026-01-01T00:00:00.000Z');
const failed = (failure: string) =>
  ({ taskState: 'FAILED', simulatedPrimaries: 0, startTime, endTime: startTime, failure }) as const;

describe('the folder of a task', () => {
  it('keeps the first end of many', async () => {
    const all = Array.from({ length: 20 }, (_, index) => failed(`end ${index}`));
    const won = await Promise.all(all.map((end) => store.writeEnd(end)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await store.readEnd()).toEqual(all[won.indexOf(true)]);
    expect(await store.writeEnd(failed('late'))).toBe(false);
    expect(readdirSync(path.join(folder, 'tasks/7'))).toEqual(['end.json']);
  });

  it('is readable by its user only', async () => {
    await store.writeEnd(failed('x'));
    await store.writeProgress({ simulatedPrimaries: 1, estimatedSeconds: 2, startTime });
    expect(statSync(path.join(folder, 'tasks/7')).mode & 0o777).toBe(0o700);
    for (const name of ['end.json', 'progress.json']) expect(statSync(file(name)).mode & 0o777).toBe(0o600);
  });

  it('replaces progress and what is delivered as a whole', async () => {
    for (const simulatedPrimaries of [1, 2]) {
      await store.writeProgress({ simulatedPrimaries, estimatedSeconds: undefined, startTime });
      await store.writeDelivered({ logBytes: simulatedPrimaries, output: false, end: false });
    }
    expect(JSON.parse(readFileSync(file('progress.json'), 'utf8'))).toMatchObject({ simulated_primaries: 2 });
    expect(await store.readDelivered()).toEqual({ logBytes: 2, output: false, end: false });
    expect(readdirSync(path.join(folder, 'tasks/7')).sort()).toEqual(['delivered.json', 'progress.json']);
  });

  it('delivers anew where what is delivered cannot be read', async () => {
    expect(await store.readDelivered()).toEqual(NOTHING_DELIVERED);
    writeFileSync(file('delivered.json'), '{"log_bytes":"many"}');
    expect(await store.readDelivered()).toEqual(NOTHING_DELIVERED);
  });

  it('takes no end that is none', async () => {
    expect(await store.readEnd()).toBeUndefined();
    writeFileSync(file('end.json'), ' '.repeat(taskEndFile.bytesMax + 1));
    await expect(store.readEnd()).rejects.toThrow('has more than');
    writeFileSync(file('end.json'), '[]');
    await expect(store.readEnd()).rejects.toThrow('end.json:');
  });

  it('gives each run a folder of its own, and removes no other', async () => {
    const other = openTaskStore(folder, 7);
    const [one, two] = [await store.createWorkFolder('1-0'), await other.createWorkFolder('1-0')];
    expect(one).not.toBe(two);
    await store.removeWorkFolder();
    expect(readdirSync(path.join(folder, 'tasks/7'))).toEqual([path.basename(two)]);
  });

  it('has a log of no bytes before there is one', async () => {
    expect(await store.logBytes()).toBe(0);
    writeFileSync(store.logPath, 'abcdef');
    expect([await store.logBytes(), String(await store.readLog(2, 3))]).toEqual([6, 'cde']);
  });
});
