import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@tally/service-kit';
import { z } from 'zod';
import { validate } from './validate.js';

const faultsOf = (schema: z.ZodType, values: unknown) => {
  try {
    validate(schema, values);
  } catch (err) {
    if (err instanceof ServiceError) return err.fields;
  }
  return undefined;
};

describe('optional members', () => {
  const schema = z
    .object({
      a: z.string().optional(),
      kept: z.string().nullish(),
      needed: z.string(),
      inner: z.looseObject({ b: z.int().optional(), c: z.int() }).optional(),
    })
    .refine(() => true);

  it('say nothing where they are null, at any depth', () => {
    expect(validate(schema, { a: null, kept: null, needed: 'x', inner: { b: null, c: 1, d: null } })).toEqual({
      kept: null,
      needed: 'x',
      inner: { c: 1, d: null },
    });
    expect(validate(schema, { needed: 'x', inner: null })).toEqual({ needed: 'x' });
  });

  it('that are needed are refused as before', () => {
    expect(faultsOf(schema, { needed: null, inner: { c: null } })).toEqual([
      { field: 'needed', message: 'must be text' },
      { field: 'inner/c', message: 'must be a number' },
    ]);
  });
});

describe('faults', () => {
  const schema = z.object({
    name: z.string().min(2).max(4),
    count: z.int().min(1).max(9),
    kind: z.enum(['a', 'b']),
    inner: z.object({ flag: z.boolean() }),
  });

  it('are all named, by path, in words', () => {
    expect(faultsOf(schema, {})).toEqual(
      ['name', 'count', 'kind', 'inner'].map((field) => ({ field, message: 'is required' })),
    );
    expect(faultsOf(schema, { name: 'x', count: 1.5, kind: 'c', inner: { flag: 1 } })).toEqual([
      { field: 'name', message: 'must be at least 2 characters long' },
      { field: 'count', message: 'must be a whole number' },
      { field: 'kind', message: 'must be one of a, b' },
      { field: 'inner/flag', message: 'must be true or false' },
    ]);
    expect(faultsOf(schema, { name: ['x', 'y'], count: 10, kind: 'a', inner: [] })).toEqual([
      { field: 'name', message: 'must be given once, as text' },
      { field: 'count', message: 'must be at most 9' },
      { field: 'inner', message: 'must be an object' },
    ]);
  });

  it('are at most fifty', () => {
    const names = Array.from({ length: 80 }, (_, index) => `field${index}`);
    const many = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
    expect(faultsOf(many, {})).toHaveLength(50);
  });
});
