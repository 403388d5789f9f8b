import { describe, expect, it } from '@jest/globals';
import { convertProject, findDriver, readProject } from '@tally/simulators';
import { BASIC_MATERIALS, blankProject } from './blank.js';
import { boundsOf, figuresOf } from './bounds.js';
import { lengthOf, readStack, writeStack } from './layers.js';
import { chooseMaterial, type TableMaterial } from './materials.js';
import { addDetector, addFigure, addFilter, addQuantity, chooseQuantity, copyPart, DETECTOR_KINDS } from './parts.js';
import { itemsAt, type JsonObject, textAt, valueAt, withValueAt } from './pointer.js';
import { removePart } from './remove.js';

const BONE: TableMaterial = {
  icru: 119,
  label: 'Bone, compact',
  name: 'BONE, COMPACT (ICRU)',
  sanitizedName: 'bone_compact_icru',
  density: 1.85,
  composition: '',
};
const [WATER = BONE] = BASIC_MATERIALS;

/** What the service says of a project: nothing, where it takes it without a word. */
function complaints(project: unknown): string[] {
  const converted = convertProject(findDriver('simA', 'editor'), readProject(project), 'refuse');
  return converted.warnings.map(({ message }) => message);
}

const names = (project: JsonObject, list: string) => itemsAt(project, list).map(({ value }) => value.name);

describe('a blank project', () => {
  it('is taken by the service as it is, without a warning', () => {
    expect(complaints(blankProject())).toEqual([]);
  });

  it('is taken with one of each detector and each kind of figure', () => {
    let project: JsonObject = blankProject();
    for (const kind of DETECTOR_KINDS) project = addDetector(project, kind).project;
    for (const shape of ['box', 'cylinder', 'sphere'] as const) {
      const added = addFigure(project, shape, shape === 'cylinder', BONE);
      project = withValueAt(added.project, `${added.pointer}/geometryData/position/0`, figuresOf(added.project).length);
    }
    expect(complaints(project)).toEqual([]);
    expect(names(project, '/zoneManager/zones')).toEqual(['Sphere', 'Tube', 'Box', 'Water']);
  });
});

describe('a stack of layers', () => {
  it('grows by a slab of bone before the water, with the detector over all of it and room in the world', () => {
    const before = blankProject();
    const stack = readStack(before);
    expect(stack).toMatchObject({ startCm: 0, widthCm: 20, center: [0, 0] });
    const { project, uuid } = ((): { project: JsonObject; uuid: string } => {
      const chosen = chooseMaterial(before, '/zoneManager/worldZone', BONE);
      return { project: before, uuid: textAt(chosen, '/zoneManager/worldZone/materialUuid') };
    })();
    expect(uuid).not.toBe('');
    if (stack === undefined) throw new Error('no stack');
    const vacuum = textAt(project, '/zoneManager/worldZone/materialUuid');
    const slab = { figureUuid: '', name: 'Slab', materialUuid: vacuum, thicknessCm: 12 };
    const after = writeStack(project, { ...stack, layers: [slab, ...stack.layers] });
    expect(complaints(after)).toEqual([]);
    const again = readStack(after);
    expect(again?.layers.map(({ name, thicknessCm }) => [name, thicknessCm])).toEqual([
      ['Slab', 12],
      ['Water_tank', 30],
    ]);
    expect(again === undefined ? 0 : lengthOf(again)).toBe(42);
    expect(valueAt(after, '/detectorManager/detectors/0/geometryData')).toMatchObject({
      position: [0, 0, 21],
      parameters: { depth: 42, zSegments: 420 },
    });
    expect(boundsOf(valueAt(after, '/zoneManager/worldZone')).upper[2]).toBe(43);
    const back = writeStack(after, { ...stack, layers: again?.layers.slice(1) ?? [] });
    expect(readStack(back)).toEqual(stack);
    expect(complaints(back)).toEqual([]);
  });

  it('is written as it was read without a change', () => {
    const before = blankProject();
    const stack = readStack(before);
    if (stack === undefined) throw new Error('no stack');
    expect(JSON.stringify(writeStack(before, stack))).toBe(JSON.stringify(before));
  });
});

describe('deletion', () => {
  it('takes along what cannot be without a part, and says so', () => {
    const box = addFigure(blankProject(), 'box', false, BONE);
    const measured = addDetector(box.project, 'zone');
    const { project, consequences } = removePart(measured.project, box.pointer);
    expect(consequences).toEqual([
      { kind: 'zone', name: 'Box', isGone: true },
      { kind: 'detector', name: 'In_zone', isGone: true },
      { kind: 'output', name: 'in_zone', isGone: true },
    ]);
    expect(complaints(project)).toEqual([]);
    expect(names(project, '/detectorManager/detectors')).toEqual(['Depth']);
  });

  it('takes a figure out of zones that stay, and a filter out of quantities', () => {
    const box = addFigure(blankProject(), 'box', false, WATER);
    const uuid = textAt(box.project, `${box.pointer}/uuid`);
    const cut = withValueAt(box.project, '/zoneManager/zones/1/unionOperations/0/-', {
      mode: 'subtraction',
      objectUuid: uuid,
    });
    const filtered = addFilter(addQuantity(cut, '/scoringManager/outputs/0', 'Fluence').project);
    const used = withValueAt(
      filtered.project,
      '/scoringManager/outputs/0/quantities/1/filter',
      textAt(filtered.project, `${filtered.pointer}/uuid`),
    );
    const withoutFilter = removePart(used, filtered.pointer);
    expect(withoutFilter.consequences).toEqual([{ kind: 'quantity', name: 'Fluence', isGone: false }]);
    const { project, consequences } = removePart(withoutFilter.project, box.pointer);
    expect(consequences.map(({ name, isGone }) => [name, isGone])).toEqual([
      ['Box', true],
      ['Water', false],
    ]);
    expect(complaints(project)).toEqual([]);
  });

  it('refuses a material that is in use, and names its users', () => {
    const { project, usedBy } = removePart(blankProject(), '/materialManager/materials/0');
    expect(usedBy).toEqual(['Water']);
    expect(itemsAt(project, '/materialManager/materials')).toHaveLength(2);
  });
});

describe('another quantity', () => {
  it('brings its name, unless somebody has named it', () => {
    const at = '/scoringManager/outputs/0/quantities/0';
    const chosen = chooseQuantity(blankProject(), at, 'dLET');
    expect(valueAt(chosen, at)).toMatchObject({ keyword: 'dLET', name: 'dLET' });
    const named = withValueAt(chosen, `${at}/name`, 'mine');
    expect(valueAt(chooseQuantity(named, at, 'Fluence'), at)).toMatchObject({ keyword: 'Fluence', name: 'mine' });
    expect(complaints(chosen)).toEqual([]);
  });
});

describe('a copy', () => {
  it('has names and uuids of its own, and a figure brings its zone', () => {
    const box = addFigure(blankProject(), 'box', false, BONE);
    const copied = copyPart(box.project, box.pointer);
    expect(names(copied.project, '/figureManager/figures')).toEqual(['Water_tank', 'Box', 'Box_copy']);
    expect(names(copied.project, '/zoneManager/zones')).toEqual(['Box_copy', 'Box', 'Water']);
    const output = copyPart(copied.project, '/scoringManager/outputs/0');
    const text = JSON.stringify(output.project);
    const uuids = [...text.matchAll(/"uuid":"([^"]+)"/g)].map(([, uuid]) => uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
    expect(complaints(output.project)).toEqual([]);
  });
});
