import { describe, expect, it } from '@jest/globals';
import { readDroppedProject } from './dropped.js';

const project = { beam: { energy: 70, sourceFile: { name: 'spots.dat', value: '', kept: 1 } }, other: 1 };

describe('dropped files', () => {
  it('are a project and the list of spots that it names', () => {
    expect(readDroppedProject({ 'p.json': JSON.stringify(project) })).toEqual({ project });
    expect(readDroppedProject({ 'notes.txt': 'x', 'p.json': JSON.stringify(project), 'spots.dat': '1 2' })).toEqual({
      project: {
        ...project,
        beam: { energy: 70, sourceType: 'file', sourceFile: { name: 'spots.dat', value: '1 2', kept: 1 } },
      },
    });
  });

  it('that are none are named, with what is wrong', () => {
    expect(readDroppedProject({ 'p.json': '{' })).toMatchObject({ fault: { name: 'p.json', why: expect.any(String) } });
    expect(readDroppedProject({ 'p.json': '[]' })).toEqual({ fault: { name: 'p.json', why: undefined } });
    expect(readDroppedProject({ 'beam.dat': 'x' })).toEqual({ fault: { name: 'beam.dat', why: undefined } });
  });
});
