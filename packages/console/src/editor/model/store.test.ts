import { describe, expect, it } from '@jest/globals';
import { isSame, valueAt, withValueAt } from './pointer.js';
import { createStore } from './store.js';

const project = { z: 1, a: { list: [{ name: 'x' }, 7], unknown: null }, 'odd/key~': [] };

function start() {
  let time = 0;
  const store = createStore(project, () => time);
  return { store, later: (ms: number) => (time += ms) };
}

describe('a value at a pointer', () => {
  it('is changed without another being touched, and keys keep their order', () => {
    const changed = withValueAt(project, '/a/list/0/name', 'y');
    expect(JSON.stringify(changed)).toBe(JSON.stringify(project).replace('"x"', '"y"'));
    expect(project.a.list[0]).toEqual({ name: 'x' });
    expect(valueAt(changed, '/odd~1key~0')).toBe(project['odd/key~']);
  });

  it('is appended, inserted on the way, and taken away', () => {
    expect(withValueAt({ list: [1] }, '/list/-', 2)).toEqual({ list: [1, 2] });
    expect(withValueAt({}, '/sad/x', 3)).toEqual({ sad: { x: 3 } });
    expect(withValueAt({ list: [1, 2, 3], k: 1 }, '/list/1', undefined)).toEqual({ list: [1, 3], k: 1 });
    expect(Object.keys(withValueAt({ a: 1, b: 2 }, '/a', undefined))).toEqual(['b']);
    expect(valueAt(project, '/constructor')).toBeUndefined();
  });
});

describe('a project while it is changed', () => {
  it('goes back and forth, and back to what was loaded', () => {
    const { store, later } = start();
    store.setAtPointer('/z', 2);
    later(5_000);
    store.setAtPointer('/z', 3);
    store.undo();
    expect(valueAt(store.getState().project, '/z')).toBe(2);
    store.undo();
    expect(store.getState()).toMatchObject({ canUndo: false, canRedo: true });
    expect(store.getState().project).toBe(project);
    store.redo();
    store.redo();
    expect(valueAt(store.getState().project, '/z')).toBe(3);
  });

  it('takes what is typed at one place for one step, and at another for another', () => {
    const { store, later } = start();
    for (const value of [1.5, 15, 150]) {
      store.setAtPointer('/z', value);
      later(200);
    }
    store.setAtPointer('/y', 1);
    store.undo();
    expect(valueAt(store.getState().project, '/z')).toBe(150);
    store.undo();
    expect(store.getState().project).toBe(project);
  });

  it('keeps a bounded number of steps', () => {
    const { store, later } = start();
    for (let i = 0; i < 1_000; i += 1) {
      store.setAtPointer('/z', i + 2);
      later(2_000);
    }
    let steps = 0;
    for (; store.getState().canUndo; steps += 1) store.undo();
    expect(steps).toBe(300);
  });

  it('keeps texts that are no numbers until what they stand at is gone', () => {
    const { store } = start();
    store.setDraft('/a/list/0/name', '12a');
    store.setDraft('/z', '1,');
    store.dropDrafts('/a/list/0');
    expect([...store.getState().drafts]).toEqual([['/z', '1,']]);
  });

  it('tells nothing and makes no step where nothing changes', () => {
    const { store } = start();
    let calls = 0;
    store.subscribe(() => (calls += 1));
    store.setAtPointer('/z', 1);
    store.edit((same) => same);
    expect([calls, store.getState().canUndo]).toEqual([0, false]);
    expect(isSame({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false);
  });
});
