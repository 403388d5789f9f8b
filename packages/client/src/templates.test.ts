import { describe, expect, it } from '@jest/globals';
import { applyTemplate, TemplateError, type TemplateSource, templateChanges, templateValues } from './templates.js';

const SLAB: TemplateSource = {
  parameters: [
    {
      name: 'thickness',
      label: 'Thickness of the slab',
      unit: 'cm',
      min: 0.5,
      max: 6,
      step: 0.1,
      default: 2,
      targets: [{ pointer: '/slab/depth' }, { pointer: '/slab/position/2', scale: 0.5 }],
    },
    {
      name: 'depth',
      label: 'Depth',
      unit: 'cm',
      min: 1,
      max: 8,
      step: 0.5,
      default: 3,
      targets: [{ pointer: '/slab/position/2' }, { pointer: '/a~1b', scale: -1, offset: 10 }],
    },
  ],
  project: { slab: { depth: 2, position: [0, 0, 4] }, 'a/b': 7, kept: { unknown: ['member'] } },
};

const refusal = (values: Record<string, number>): string => {
  try {
    applyTemplate(SLAB, values);
  } catch (err) {
    if (err instanceof TemplateError) return err.message;
    throw err;
  }
  return 'taken';
};

describe('applyTemplate', () => {
  it('gives the project itself for the defaults, and leaves it as it is', () => {
    const before = structuredClone(SLAB.project);
    expect(applyTemplate(SLAB)).toEqual(before);
    expect(applyTemplate(SLAB, { thickness: 3 })).not.toEqual(before);
    expect(SLAB.project).toEqual(before);
  });

  it('moves what depends on a value, and adds the terms of several parameters', () => {
    expect(applyTemplate(SLAB, { thickness: 0.6, depth: 5.1 })).toEqual({
      slab: { depth: 0.6, position: [0, 0, 5.4] },
      'a/b': 4.9,
      kept: { unknown: ['member'] },
    });
  });

  it('refuses unknown parameters and values out of range, all at once, by label, unit and limits', () => {
    expect(refusal({ thicknes: 3 })).toBe('there is no parameter thicknes; there are thickness, depth');
    expect(refusal({ thickness: 7, depth: 0 })).toBe(
      'Thickness of the slab (thickness) must be 0.5 to 6 cm, not 7\nDepth (depth) must be 1 to 8 cm, not 0',
    );
    expect(refusal({ depth: Number.NaN })).toBe('Depth (depth) must be 1 to 8 cm, not NaN');
    expect(refusal({ ['__proto__']: 1, toString: 2 })).toContain('no parameter toString');
    expect([refusal({ depth: 1 }), refusal({ depth: 8 })]).toEqual(['taken', 'taken']);
  });

  it('fails for a place that the project does not have, and reaches nothing but its own members', () => {
    const at = (pointer: string): TemplateSource => ({
      ...SLAB,
      parameters: SLAB.parameters.slice(0, 1).map((one) => ({ ...one, targets: [{ pointer }] })),
    });
    for (const pointer of ['/slab/width', '/slab', '/__proto__/x', '/constructor/name/length', '', '/slab/position/3'])
      expect(() => applyTemplate(at(pointer))).toThrow(`the project has no number at ${pointer}`);
  });
});

describe('templateValues', () => {
  it('reads the values off a project, of places that parameters share, too', () => {
    for (const values of [
      { thickness: 2, depth: 3 },
      { thickness: 0.7, depth: 4.25 },
      { thickness: 6, depth: 1 },
    ])
      expect(templateValues(SLAB.parameters, applyTemplate(SLAB, values))).toEqual(values);
  });

  it('gives the default of what the project does not tell', () => {
    expect(templateValues(SLAB.parameters, {})).toEqual({ thickness: 2, depth: 3 });
  });
});

describe('templateChanges', () => {
  it('tells what is not the default, with its unit', () => {
    expect(templateChanges(SLAB.parameters, { thickness: 2, depth: 3 })).toBe('');
    expect(templateChanges(SLAB.parameters, { depth: 4.5, thickness: 3 })).toBe('thickness = 3 cm, depth = 4.5 cm');
  });
});
