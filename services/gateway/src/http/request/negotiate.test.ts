import { describe, expect, it } from '@jest/globals';
import { negotiate } from './negotiate.js';

const OFFERS = ['application/json', 'text/csv', 'application/zip'] as const;

describe('negotiate', () => {
  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV; charset=utf-8', 'text/csv'],
    ['text/*', 'text/csv'],
    ['application/json;q=0.5, text/csv', 'text/csv'],
    ['application/json;q=0, */*;q=0.1', 'text/csv'],
    ['application/zip, application/json', 'application/json'],
  ])('of Accept: %s takes %s', (accept, type) => {
    expect(negotiate(accept, OFFERS)).toBe(type);
  });

  it.each(['image/png', 'application/json;q=0', 'text/csv;q=nonsense'])(
    'refuses %s, and names what there is',
    (accept) => {
      expect(() => negotiate(accept, OFFERS)).toThrow(
        'Accept names none of application/json, text/csv, application/zip',
      );
    },
  );
});
