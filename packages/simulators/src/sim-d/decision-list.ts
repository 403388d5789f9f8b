import type { BodyRelations } from '../deck/body-relations.js';
import { type BodyTerm, insideOf, joinTerms } from '../deck/body-term.js';

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
  const fills = (): number[] => [...new Set(rest.map(({ fill }) => fill))];
  for (let left = fills(); left.length > 1; left = fills()) {
    const choices = [...unused]
      .map((body) => ({ body, fill: onlyFill(rest, body, relations) }))
      .filter((choice): choice is Layer => choice.fill !== undefined);
    const layer = choices.find(({ fill }) => fill !== background) ?? choices[0];
    if (layer === undefined) return undefined;
    layers.push(layer);
    unused.delete(layer.body);
    rest = rest.flatMap(({ term, fill }) => {
      const outside = joinTerms(term, { inside: [], outside: [layer.body] }, relations);
      return outside === undefined ? [] : [{ term: outside, fill }];
    });
  }
  return { layers, background: fills()[0] ?? background };
}

/** What fills the whole inside of a body; `undefined` when nothing is left there, or more than one thing. */
function onlyFill(rest: readonly FilledTerm[], body: number, relations: BodyRelations): number | undefined {
  const fills = new Set<number>();
  for (const { term, fill } of rest) {
    if (!fills.has(fill) && joinTerms(term, insideOf(body), relations) !== undefined) fills.add(fill);
    if (fills.size > 1) return undefined;
  }
  return [...fills][0];
}
