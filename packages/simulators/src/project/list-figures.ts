import type { Figure } from './figure.js';

/** A figure with its place in the project. */
export interface PlacedFigure {
  readonly figure: Figure;
  readonly path: string;
}

/** Every figure of a project, parents before their children. */
export function listFigures(figures: readonly Figure[], path = '/figureManager/figures'): PlacedFigure[] {
  return figures.flatMap((figure, index) => {
    const figurePath = `${path}/${index}`;
    return [{ figure, path: figurePath }, ...listFigures(figure.children, `${figurePath}/children`)];
  });
}

/**
 * How deep figures are nested in a project that nobody has checked yet; safe on any JSON, however deep.
 * Stops counting beyond `depthMax`.
 */
export function measureFigureDepth(json: unknown, depthMax: number): number {
  let level = childrenOf(childrenOf([json], 'figureManager'), 'figures');
  let depth = 0;
  while (level.length > 0 && depth <= depthMax) {
    depth += 1;
    level = childrenOf(level, 'children');
  }
  return depth;
}

function childrenOf(values: readonly unknown[], key: string): unknown[] {
  return values.flatMap((value): unknown[] => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return [];
    const child = (value as Record<string, unknown>)[key];
    return Array.isArray(child) ? child : [child];
  });
}
