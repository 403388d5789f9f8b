import type { Zone } from '@tally/engine';
import { type Body, type FigureBodies, listBodies } from './body.js';
import { type BodyRelations, createBodyRelations } from './body-relations.js';
import { type BodyTerm, insideOf, intersectTerms, subtractTerms, TERMS_MAX } from './body-term.js';
import type { ConversionReport } from './conversion-report.js';
import type { ConvertedGeometry } from './convert-geometry.js';

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
  let isTooLong = false;
  const limit = (terms: BodyTerm[], path: string): BodyTerm[] => {
    if (terms.length <= TERMS_MAX) return terms;
    isTooLong = true;
    report.refuse(report.originOf(path), `needs more than ${TERMS_MAX} boolean terms: fewer figures must overlap`);
    return [];
  };
  for (const [index, zone] of geometry.zones.entries()) {
    let terms = intersectTerms(expandZone(zone, figures, relations), worldFigure, relations);
    for (const earlier of zones) terms = limit(subtractTerms(terms, earlier, relations), `/zones/${index}`);
    zones.push(terms);
  }
  let world: BodyTerm[] = worldFigure;
  for (const zone of zones) {
    if (!isTooLong) world = limit(subtractTerms(world, zone, relations), '/world');
  }
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
