import { spendSteps } from '../steps.js';
import type { BodyRelations } from './body-relations.js';

/** Most terms of one union: {@link subtractTerms} stops just beyond, so that nothing grows without bound. */
export const TERMS_MAX = 2000;

/** The space inside all of some bodies and outside all of others, by index; no body is in both lists. */
export interface BodyTerm {
  readonly inside: readonly number[];
  readonly outside: readonly number[];
}

/** A term of one body alone. */
export function insideOf(body: number): BodyTerm {
  return { inside: [body], outside: [] };
}

/** What two unions of terms have in common, as a union of terms. */
export function intersectTerms(
  ones: readonly BodyTerm[],
  others: readonly BodyTerm[],
  relations: BodyRelations,
): BodyTerm[] {
  const common = ones.flatMap((one) => others.map((other) => joinTerms(one, other, relations)));
  return absorbTerms(common.filter((term) => term !== undefined));
}

/**
 * What is in the first union and not in the second. Terms are split where they overlap, and pieces that the bodies'
 * places make empty are dropped: the list grows with what really overlaps, not with the number of terms.
 * @returns more than {@link TERMS_MAX} terms, and then not all that was asked for, when it would get longer than that
 */
export function subtractTerms(
  from: readonly BodyTerm[],
  removed: readonly BodyTerm[],
  relations: BodyRelations,
): BodyTerm[] {
  let rest = [...from];
  for (const term of removed) {
    if (rest.length > TERMS_MAX) return rest;
    rest = rest.flatMap((piece) => subtractTerm(piece, term, relations));
  }
  return rest;
}

/** The union without terms that lie inside another one. */
export function absorbTerms(terms: readonly BodyTerm[]): BodyTerm[] {
  const kept: BodyTerm[] = [];
  const byLength = [...terms].sort((one, other) => length(one) - length(other));
  for (const term of byLength) if (!kept.some((larger) => includesTerm(larger, term))) kept.push(term);
  const keptTerms = new Set(kept);
  return terms.filter((term) => keptTerms.has(term));
}

/** Pieces of `piece` outside `removed`, without common points: outside its first body, inside it but outside the second … */
function subtractTerm(piece: BodyTerm, removed: BodyTerm, relations: BodyRelations): BodyTerm[] {
  if (joinTerms(piece, removed, relations) === undefined) return [piece];
  const pieces: BodyTerm[] = [];
  let remaining: BodyTerm | undefined = piece;
  for (const body of removed.inside) {
    const outside: BodyTerm | undefined = remaining && addOutside(remaining, body, relations);
    if (outside !== undefined) pieces.push(outside);
    remaining = remaining && addInside(remaining, body, relations);
  }
  for (const body of removed.outside) {
    const inside: BodyTerm | undefined = remaining && addInside(remaining, body, relations);
    if (inside !== undefined) pieces.push(inside);
    remaining = remaining && addOutside(remaining, body, relations);
  }
  return pieces;
}

/** Both conditions together, without those that follow from others; `undefined` when no point can meet them. */
export function joinTerms(one: BodyTerm, other: BodyTerm, relations: BodyRelations): BodyTerm | undefined {
  let joined: BodyTerm | undefined = one;
  for (const body of other.inside) joined = joined && addInside(joined, body, relations);
  for (const body of other.outside) joined = joined && addOutside(joined, body, relations);
  return joined;
}

/** Whether a term may have points inside a body. */
export function mayReachInto({ inside, outside }: BodyTerm, body: number, relations: BodyRelations): boolean {
  return (
    !outside.some((other) => relations.contains(other, body)) &&
    !inside.some((other) => relations.areApart(other, body))
  );
}

function addInside(term: BodyTerm, body: number, relations: BodyRelations): BodyTerm | undefined {
  const { inside, outside } = term;
  if (!mayReachInto(term, body, relations)) return undefined;
  if (inside.some((other) => relations.contains(body, other))) return term;
  return {
    inside: [...inside.filter((other) => !relations.contains(other, body)), body],
    outside: outside.filter((other) => !relations.areApart(other, body)),
  };
}

/** `undefined` when the term is wholly inside the body. */
export function addOutside(term: BodyTerm, body: number, relations: BodyRelations): BodyTerm | undefined {
  const { inside, outside } = term;
  if (inside.some((other) => relations.contains(body, other))) return undefined;
  if (!mayReachInto(term, body, relations)) return term;
  return { inside, outside: [...outside.filter((other) => !relations.contains(body, other)), body] };
}

/** Steps of a comparison of two terms, and more for each body of the longer one. */
const COMPARISON_STEPS = 0.02;
const COMPARED_STEPS = 0.002;

function includesTerm(larger: BodyTerm, smaller: BodyTerm): boolean {
  spendSteps(COMPARISON_STEPS + COMPARED_STEPS * length(smaller));
  return (
    larger.inside.every((body) => smaller.inside.includes(body)) &&
    larger.outside.every((body) => smaller.outside.includes(body))
  );
}

/** Bodies that a term names. */
export function length({ inside, outside }: BodyTerm): number {
  return inside.length + outside.length;
}
