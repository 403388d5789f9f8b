import { describe, expect, it } from '@jest/globals';
import { readTraceparent, traceIdOf } from './traceparent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const GIVEN = `00-${TRACE}-00f067aa0ba902b7-01`;

describe('a traceparent', () => {
  it('is taken as W3C writes it, of a later version by what is known of it', () => {
    expect(readTraceparent(GIVEN)).toBe(GIVEN);
    expect(readTraceparent(`cc${GIVEN.slice(2)}-what-comes-later`)).toBe(GIVEN);
    expect(traceIdOf(GIVEN)).toBe(TRACE);
  });

  it.each([
    ['nothing', undefined],
    ['text', 'yes'],
    ['the version that is none', `ff${GIVEN.slice(2)}`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capital letters', GIVEN.toUpperCase()],
    ['more than the version has', `${GIVEN}-more`],
    ['half of it', GIVEN.slice(0, 40)],
  ])('is not taken from %s', (_name, text) => expect(readTraceparent(text)).toBeUndefined());
});
