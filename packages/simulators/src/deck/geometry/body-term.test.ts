import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { BodyRelations } from './body-relations.js';
import { absorbTerms, type BodyTerm, insideOf, intersectTerms, subtractTerms, TERMS_MAX } from './body-term.js';

const BODIES = 5;
/** Bodies of which nothing is known. */
const UNKNOWN: BodyRelations = { areApart: () => false, contains: (outer, inner) => outer === inner };

function holds(terms: readonly BodyTerm[], inside: readonly boolean[]): boolean {
  return terms.some(
    (term) => term.inside.every((body) => inside[body] === true) && term.outside.every((body) => inside[body] !== true),
  );
}

/** Every way in which a point can be inside and outside of the bodies. */
const CASES = Array.from({ length: 2 ** BODIES }, (_, bits) =>
  Array.from({ length: BODIES }, (_body, body) => ((bits >> body) & 1) === 1),
);

const term = fc
  .array(fc.constantFrom('in', 'out', 'any'), { minLength: BODIES, maxLength: BODIES })
  .map((signs): BodyTerm => {
    const of = (sign: string): number[] => signs.flatMap((one, body) => (one === sign ? [body] : []));
    return { inside: of('in'), outside: of('out') };
  });
const terms = fc.array(term, { maxLength: 4 });

describe('unions of terms', () => {
  it('have in common what both have', () => {
    fc.assert(
      fc.property(terms, terms, (ones, others) => {
        const common = intersectTerms(ones, others, UNKNOWN);
        for (const point of CASES) expect(holds(common, point)).toBe(holds(ones, point) && holds(others, point));
      }),
    );
  });

  it('lose what is taken from them, in pieces without common points', () => {
    fc.assert(
      fc.property(term, terms, (from, removed) => {
        const rest = subtractTerms([from], removed, UNKNOWN);
        for (const point of CASES) {
          expect(holds(rest, point)).toBe(holds([from], point) && !holds(removed, point));
          expect(rest.filter((piece) => holds([piece], point)).length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('drop terms inside others', () => {
    const wide = insideOf(0);
    expect(absorbTerms([{ inside: [0, 1], outside: [] }, wide, { inside: [0], outside: [2] }])).toEqual([wide]);
  });

  it('grow with what overlaps, not with the number of terms: 200 pairs beside each other leave 201 pieces', () => {
    const pairs = Array.from(
      { length: 200 },
      (_, index): BodyTerm => ({ inside: [2 * index + 1, 2 * index + 2], outside: [] }),
    );
    const pairOf = (body: number): number => Math.floor((body - 1) / 2);
    const beside: BodyRelations = {
      areApart: (one, other) => one !== 0 && other !== 0 && pairOf(one) !== pairOf(other),
      contains: (outer, inner) => outer === inner || outer === 0,
    };
    expect(subtractTerms([insideOf(0)], pairs, beside)).toHaveLength(201);
  });

  it('stop growing when they are too many', () => {
    const pairs = Array.from(
      { length: 40 },
      (_, index): BodyTerm => ({ inside: [2 * index + 1, 2 * index + 2], outside: [] }),
    );
    const rest = subtractTerms([insideOf(0)], pairs, UNKNOWN);
    expect(rest.length).toBeGreaterThan(TERMS_MAX);
    expect(rest.length).toBeLessThan(10 * TERMS_MAX);
  });
});
