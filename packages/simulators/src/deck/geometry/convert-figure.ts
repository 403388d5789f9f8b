import type { Figure as EngineFigure, FigureShape } from '@tally/engine';
import type { FigureGeometry } from '../../project/figure.js';

/** A figure of the editor as the engine places it. */
export function convertFigure(name: string, geometry: FigureGeometry): EngineFigure {
  return {
    name,
    shape: convertShape(geometry),
    centerCm: geometry.position,
    rotationDeg: geometry.rotation,
  };
}

function convertShape({ geometryType, parameters }: FigureGeometry): FigureShape {
  switch (geometryType) {
    case 'BoxGeometry':
      return { type: 'box', sizeCm: [parameters.width, parameters.height, parameters.depth] };
    case 'HollowCylinderGeometry':
      return {
        type: 'cylinder',
        innerRadiusCm: parameters.innerRadius,
        radiusCm: parameters.radius,
        depthCm: parameters.depth,
      };
    case 'SphereGeometry':
      return { type: 'sphere', radiusCm: parameters.radius };
  }
}
