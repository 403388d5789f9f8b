import type { Zone } from '@tally/engine';
import type { ConversionReport } from '../conversion-report.js';
import { listBodies } from './body.js';
import { createBodyRelations } from './body-relations.js';
import type { ConvertedGeometry } from './converted-geometry.js';

/** Says which zones are not surely inside the world's figure: what of them lies outside it is cut off. */
export function warnOfCutZones({ figures, zones, world }: ConvertedGeometry, report: ConversionReport): void {
  const { bodies, figureBodies } = listBodies(figures);
  const relations = createBodyRelations(bodies);
  const around = figureBodies[world.figure];
  if (around === undefined) return;
  const isInside = figureBodies.map(
    ({ outer }) =>
      relations.contains(around.outer, outer) && (around.hole === undefined || relations.areApart(around.hole, outer)),
  );
  for (const { name, terms } of zones) {
    if (terms.every((term) => staysInside(term, isInside))) continue;
    report.warn('ZONE_CUT', `zone "${name}" reaches beyond the world: what is outside of it is cut off`);
  }
}

/** A term is evaluated left to right; what is taken away from it is taken for nothing. */
function staysInside(operations: Zone['terms'][number], isInside: readonly boolean[]): boolean {
  return operations.reduce((stays, { mode, figure }, index) => {
    const operand = isInside[figure] ?? false;
    if (index === 0 || mode === 'reverse-subtraction') return operand;
    if (mode === 'intersection') return stays || operand;
    return mode === 'union' ? stays && operand : stays;
  }, false);
}
