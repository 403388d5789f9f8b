import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ROUTES } from '../routes/index.js';
import { createDocument } from './document.js';
import { EXAMPLES } from './examples.js';

const document = createDocument(ROUTES, '1.2.3', EXAMPLES);

describe('the OpenAPI document', () => {
  it('is valid by the OpenAPI 3.1 meta-schema, and refers to nothing that is not there', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(validator.version).toBe('3.1');
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('gives every operation an id of its own, a summary, and a meaning for every status', () => {
    const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(described).toHaveLength(ROUTES.length);
    expect(new Set(described.map(({ operationId }) => operationId)).size).toBe(ROUTES.length);
    for (const { summary, responses } of described) {
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
      for (const { description } of Object.values(responses)) expect(description).not.toBe('');
    }
  });

  it('has a cookie for every session and none for anyone else', () => {
    const security = (method: string, path: string) => document.paths[path]?.[method]?.security;
    expect(security('get', '/jobs')).toEqual([{ session: [] }, { token: [] }]);
    expect(security('get', '/auth/refresh')).toEqual([{ refresh: [] }]);
    expect(security('post', '/auth/login')).toEqual([]);
  });
});
