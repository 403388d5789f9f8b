import type { Project } from '../../project/project.js';
import type { ConversionReport } from '../conversion-report.js';
import { isInsideBody } from '../geometry/body.js';
import type { BodyGeometry } from '../geometry/zone-terms.js';

/** Refuses a beam that starts outside the world's figure: simulators absorb it there and answer nothing but zeros. */
export function refuseBeamOutsideWorld(project: Project, geometry: BodyGeometry, report: ConversionReport): void {
  const { position } = project.beam;
  const isInside = geometry.worldFigure.some(({ inside, outside }) => {
    const holds = (index: number): boolean => {
      const body = geometry.bodies[index];
      return body !== undefined && isInsideBody(body, position);
    };
    return inside.every(holds) && !outside.some(holds);
  });
  if (!isInside) report.refuse('/beam/position', 'must be inside the world: outside, every particle is absorbed');
}
