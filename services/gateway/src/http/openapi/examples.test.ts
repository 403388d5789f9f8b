import { describe, expect, it } from '@jest/globals';
import { OpenApiChecker } from '@tally/testkit';
import { ROUTES } from '../routes/index.js';
import { createDocument } from './document.js';
import { EXAMPLES } from './examples.js';

const checker = new OpenApiChecker(createDocument(ROUTES, '1.2.3', EXAMPLES));
/** Documents are their own examples. */
const DOCUMENTS = ['GET /openapi.json', 'GET /schemas/project.json'];
const operations = ROUTES.map(({ method, path }) => `${method} ${path}`).filter((name) => !DOCUMENTS.includes(name));

describe('the examples', () => {
  it('are there for every operation, and for no other', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual([...operations].sort());
    for (const [operation, examples] of Object.entries(EXAMPLES)) {
      expect({ operation, count: examples.length > 0 }).toEqual({ operation, count: true });
    }
  });

  it.each(Object.entries(EXAMPLES))(
    'of %s have requests and answers that the document allows',
    (operation, examples) => {
      const [method = '', path = ''] = operation.split(' ');
      for (const { status, query, headers, body, answer } of examples) {
        expect(checker.checkAnswer({ method, path, status, body: answer })).toEqual([]);
        if (status < 400) expect(checker.checkRequest({ method, path, query, headers, body })).toEqual([]);
      }
    },
  );
});
