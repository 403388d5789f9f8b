import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readStack, writeStack } from '../src/editor/model/layers.js';
import { copyPart } from '../src/editor/model/parts.js';
import { valueAt, withValueAt } from '../src/editor/model/pointer.js';
import { createStore } from '../src/editor/model/store.js';

const folder = path.join(import.meta.dirname, '../../../examples');
const examples = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (name) => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));

describe('a project of the field’s editor', () => {
  it.each(examples)('%s is the same text after everything was changed and taken back', (name) => {
    const file = read(name);
    const text = JSON.stringify(file);
    const there = withValueAt(file, '/beam/energy', 12);
    expect(JSON.stringify(withValueAt(there, '/beam/energy', valueAt(file, '/beam/energy')))).toBe(text);
    const store = createStore(file, () => 0);
    store.edit((project) => copyPart(project, '/figureManager/figures/0').project);
    const stack = readStack(file);
    if (stack !== undefined) store.edit((project) => writeStack(project, { ...stack, startCm: 3 }));
    store.setAtPointer('/unknown', { member: 1 });
    while (store.getState().canUndo) store.undo();
    expect(JSON.stringify(store.getState().project)).toBe(text);
  });

  it('has no stack of layers where a zone is made of several boxes', () => {
    expect(readStack(read('proton-bone-slab.json'))).toBeUndefined();
    expect(readStack(read('proton-sobp-water.json'))?.layers.length ?? 0).toBeLessThan(2);
  });
});
