import type { BodyRelations } from '../../deck/geometry/body-relations.js';
import { addOutside, type BodyTerm, mayReachInto } from '../../deck/geometry/body-term.js';

/** A body filled with one thing, over everything that stands later in the list. */
export interface Layer {
  readonly body: number;
  /** Index of what fills it. */
  readonly fill: number;
}

/** The same space as a list of filled bodies, the first that a point is inside of deciding, and what is elsewhere. */
export interface DecisionList {
  readonly layers: readonly Layer[];
  readonly background: number;
}

/** A term of the geometry and what fills it. */
export interface FilledTerm {
  readonly term: BodyTerm;
  readonly fill: number;
}

/**
 * The simulator has no boolean solids: bodies can only be put inside and over each other. Whatever can be said so is
 * found: a body inside of which everything has one fill goes to the list and its inside out of question, until one
 * fill is left. Taking such a body never spoils a later choice (R. L. Rivest, Machine Learning 2 (1987) 229).
 * @param terms - without common points; together the whole world
 * @param bodies - those that may be placed: bodies that do not reach outside the world
 * @returns `undefined` when there is no such list
 */
export function findDecisionList(
  terms: readonly FilledTerm[],
  bodies: readonly number[],
  background: number,
  relations: BodyRelations,
): DecisionList | undefined {
  let rest = [...terms];
  const unused = new Set(bodies);
  const layers: Layer[] = [];
  const take = (layer: Layer): void => {
    layers.push(layer);
    unused.delete(layer.body);
    rest = rest.flatMap(({ term, fill }) => {
      const outside = addOutside(term, layer.body, relations);
      return outside === undefined ? [] : [{ term: outside, fill }];
    });
  };
  const fills = (): number[] => [...new Set(rest.map(({ fill }) => fill))];
  while (fills().length > 1) {
    const before = layers.length;
    let behind: Layer | undefined;
    for (const body of unused) {
      const fill = onlyFill(rest, body, relations);
      if (fill === background) behind ??= { body, fill };
      else if (fill !== undefined) take({ body, fill });
    }
    // only where nothing else is left: what is of the background anyway needs no body
    if (layers.length > before) continue;
    if (behind === undefined) return undefined;
    take(behind);
  }
  return { layers, background: fills()[0] ?? background };
}

/** What fills the whole inside of a body; `undefined` when nothing is left there, or more than one thing. */
function onlyFill(rest: readonly FilledTerm[], body: number, relations: BodyRelations): number | undefined {
  let only: number | undefined;
  for (const { term, fill } of rest) {
    if (fill === only || !mayReachInto(term, body, relations)) continue;
    if (only !== undefined) return undefined;
    only = fill;
  }
  return only;
}
