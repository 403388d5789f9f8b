import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { JsonObject } from '../model/pointer.js';
import { valueAt } from '../model/pointer.js';
import { createStore } from '../model/store.js';
import { createKeeper, type Keeper, type LocalCopy, type ProjectService } from './keeper.js';

/** A service that keeps one project, and can be away. */
function fakeService() {
  let revision = 0;
  let project: JsonObject = {};
  let isAway = false;
  const requests: number[] = [];
  let atOnce = 0;
  const answer = async <T>(act: () => T): Promise<T> => {
    atOnce += 1;
    requests.push(atOnce);
    await new Promise((resolve) => setTimeout(resolve, 300));
    atOnce -= 1;
    if (isAway) throw new Error('away');
    return act();
  };
  const service: ProjectService = {
    create: (body) =>
      answer(() => {
        revision += 1;
        project = body.project;
        return { projectId: `p${revision}`, revision };
      }),
    update: (_id, basedOn, body) =>
      answer(() => {
        if (basedOn !== revision) throw new Error('changed');
        revision += 1;
        project = body.project;
        return { revision };
      }),
    read: (projectId) => answer(() => ({ projectId, revision, project })),
    faultOf: (err) => ({ why: String(err), kind: String(err).includes('changed') ? 'changed' : 'away' }),
  };
  return {
    service,
    requests,
    goAway: (away: boolean) => (isAway = away),
    saved: () => project,
    saveElsewhere: (other: JsonObject) => {
      revision += 1;
      project = other;
    },
  };
}

describe('what is typed', () => {
  let fake: ReturnType<typeof fakeService>;
  let copies: Map<string, LocalCopy>;
  let keeper: Keeper;
  const file: JsonObject = { z: 1, beam: { energy: 150 } };
  let store = createStore(file);
  const start = (revision = 0) => {
    keeper = createKeeper({
      store,
      service: fake.service,
      copies: {
        read: async (key) => copies.get(key),
        write: async (key, copy) => {
          if (copy === undefined) copies.delete(key);
          else copies.set(key, copy);
        },
      },
      kept: revision === 0 ? undefined : { projectId: 'p1', revision, project: file },
      original: file,
      picture: () => undefined,
      onCreated: () => undefined,
    });
  };

  beforeEach(() => {
    jest.useFakeTimers();
    fake = fakeService();
    copies = new Map();
    store = createStore(file, () => Date.now());
  });
  afterEach(() => {
    keeper.dispose();
    jest.useRealTimers();
  });
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  it('makes a project at the first change, not before, and is sent one request at a time', async () => {
    start();
    await pass(5_000);
    expect(fake.requests).toEqual([]);
    for (let energy = 100; energy < 140; energy += 1) {
      store.setAtPointer('/beam/energy', energy);
      await pass(100);
    }
    expect(copies.get('new')?.project).toMatchObject({ beam: { energy: expect.any(Number) } });
    await pass(5_000);
    expect(keeper.getState()).toEqual({ kind: 'saved' });
    expect(fake.saved()).toEqual({ z: 1, beam: { energy: 139 } });
    expect(Math.max(...fake.requests)).toBe(1);
    expect(copies.size).toBe(0);
  });

  it('stays in the browser while the service is away, says so, and is sent when it is back', async () => {
    fake.saveElsewhere(file);
    start(1);
    fake.goAway(true);
    store.setAtPointer('/beam/energy', 99);
    store.setDraft('/beam/position/0', '1,');
    await pass(10_000);
    expect(keeper.getState()).toMatchObject({ kind: 'failed', why: expect.stringContaining('away') });
    expect(copies.get('p1')).toMatchObject({
      project: { beam: { energy: 99 } },
      drafts: [['/beam/position/0', '1,']],
      revision: 1,
    });
    const flushed = expect(keeper.flush()).rejects.toThrow('away');
    await pass(1_000);
    await flushed;
    fake.goAway(false);
    await pass(20_000);
    expect(keeper.getState()).toEqual({ kind: 'saved' });
    expect(fake.saved()).toMatchObject({ beam: { energy: 99 } });
    expect(copies.get('p1')?.drafts).toHaveLength(1); // the text that is no number has no other place
  });

  it.each([
    ['mine', 99, 'p1'],
    ['theirs', 77, 'p1'],
    ['both', 99, 'p3'],
  ] as const)('that meets what another tab saved waits for a choice: %s', async (choice, energy, projectId) => {
    fake.saveElsewhere(file);
    start(1);
    fake.saveElsewhere({ z: 1, beam: { energy: 77 } });
    store.setAtPointer('/beam/energy', 99);
    await pass(5_000);
    expect(keeper.getState()).toMatchObject({
      kind: 'conflict',
      base: file,
      theirs: { project: { beam: { energy: 77 } } },
    });
    expect(fake.saved()).toMatchObject({ beam: { energy: 77 } });
    const done = keeper.resolve(choice);
    await pass(2_000);
    await done;
    expect(keeper.getState()).toEqual({ kind: 'saved' });
    expect(valueAt(store.getState().project, '/beam/energy')).toBe(energy);
    expect(fake.saved()).toMatchObject({ beam: { energy } });
    expect(keeper.identity()?.projectId).toBe(projectId);
    if (choice === 'theirs') {
      store.undo();
      expect(valueAt(store.getState().project, '/beam/energy')).toBe(99);
    }
  });

  it('is there for a submission at once', async () => {
    start();
    store.setAtPointer('/beam/energy', 120);
    const flushed = keeper.flush();
    await pass(1_000);
    expect(await flushed).toEqual({ projectId: 'p1', revision: 1 });
    expect(fake.saved()).toMatchObject({ beam: { energy: 120 } });
  });
});
