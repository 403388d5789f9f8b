import type { Zone } from '@tally/engine';
import type { ConversionReport } from '../conversion-report.js';
import { spendSteps } from '../steps.js';
import { type Body, type FigureBodies, listBodies } from './body.js';
import { type BodyRelations, createBodyRelations } from './body-relations.js';
import { absorbTerms, type BodyTerm, insideOf, intersectTerms, length, subtractTerms, TERMS_MAX } from './body-term.js';
import type { ConvertedGeometry } from './converted-geometry.js';

/** Most terms of all zones together. */
const ALL_TERMS_MAX = 10_000;

/** The geometry as data that any combinatorial geometry can be written from. */
export interface BodyGeometry {
  /** The bodies of every figure of the geometry, the world's last but for its hole. */
  readonly bodies: readonly Body[];
  readonly figureBodies: readonly FigureBodies[];
  readonly relations: BodyRelations;
  /**
   * Terms of every zone, in the project's order: without what earlier zones already take and within the world, so that
   * no point is in two zones and the order has no meaning. A zone without terms is nowhere.
   */
  readonly zones: readonly (readonly BodyTerm[])[];
  /** Terms of the world zone: inside the world's figure and in no zone. */
  readonly world: readonly BodyTerm[];
  /** Terms of the world's figure itself. */
  readonly worldFigure: readonly BodyTerm[];
}

/** Works out which bodies every zone is inside and outside of. Zones that grow beyond {@link TERMS_MAX} are refused. */
export function resolveZones(geometry: ConvertedGeometry, report: ConversionReport): BodyGeometry {
  const { bodies, figureBodies } = listBodies(geometry.figures);
  const relations = createBodyRelations(bodies);
  const figures = figureBodies.map(figureTerm);
  const worldFigure = [figures[geometry.world.figure] ?? insideOf(0)];
  const zones: BodyTerm[][] = [];
  // what zones take before others take from them: the same space in fewer terms
  const taken: BodyTerm[] = [];
  let termCount = 0;
  let isTooLong = false;
  const takeFrom = (terms: BodyTerm[], path: string): BodyTerm[] => {
    const rest = isTooLong ? [] : subtractTerms(terms, taken, relations);
    termCount += rest.length;
    for (const term of rest) spendSteps(length(term)); // it will be written
    if (rest.length <= TERMS_MAX && termCount <= ALL_TERMS_MAX) return rest;
    const limit =
      rest.length > TERMS_MAX ? `${TERMS_MAX} boolean terms` : `${ALL_TERMS_MAX} boolean terms in all zones`;
    report.refuse(report.originOf(path), `needs more than ${limit}: fewer figures must cut each other`);
    isTooLong = true;
    return [];
  };
  for (const [index, zone] of geometry.zones.entries()) {
    const terms = absorbTerms(intersectTerms(expandZone(zone, figures, relations), worldFigure, relations));
    zones.push(takeFrom(terms, `/zones/${index}`));
    taken.push(...terms);
  }
  const world = takeFrom(worldFigure, '/world');
  return { bodies, figureBodies, relations, zones, world, worldFigure };
}

/** A zone's own terms, before other zones are taken from it: each term of the project is evaluated left to right. */
function expandZone(zone: Zone, figures: readonly BodyTerm[], relations: BodyRelations): BodyTerm[] {
  return zone.terms.flatMap((operations) => {
    let terms: BodyTerm[] = [];
    for (const [index, { mode, figure }] of operations.entries()) {
      const operand = [figures[figure] ?? insideOf(0)];
      if (index === 0 || mode === 'union') terms = [...terms, ...operand];
      else if (mode === 'intersection') terms = intersectTerms(terms, operand, relations);
      else if (mode === 'subtraction') terms = subtractTerms(terms, operand, relations);
      else terms = subtractTerms(operand, terms, relations);
    }
    return terms;
  });
}

function figureTerm({ outer, hole }: FigureBodies): BodyTerm {
  return { inside: [outer], outside: hole === undefined ? [] : [hole] };
}
