import type { TaskPage } from '@tally/merge';
import { findMaterial } from '../material/material-library.js';
import type { Material, TransportProblem } from '../problem/problem.js';
import { binCenters, type PageLayout, spatialBins } from '../scoring/page-layout.js';
import type { TransportModule } from './transport-module.js';

function density(material: Material): number {
  return material.densityGcm3 ?? findMaterial(material.icru)?.densityGcm3 ?? 0;
}

/**
 * A map of the geometry, taken at bin centres (of rings: at +x). ZONE: number of the zone in the project from 1, the world after them,
 * 0 outside. MATERIAL: ICRU id. Rho: g/cm³.
 */
export function geometryMap(
  layout: PageLayout,
  keyword: string,
  problem: TransportProblem,
  module: TransportModule,
): TaskPage {
  const { detector } = layout;
  const [xs = [0], ys = [0], zs = [0]] = spatialBins(detector).map(binCenters);
  const points: [number, number, number][] = [];
  if (detector.type === 'cylinder') {
    const [x, y] = detector.centerCm;
    for (const z of ys) for (const r of xs) points.push([x + r, y, z]);
  } else for (const z of zs) for (const y of ys) for (const x of xs) points.push([x, y, z]);
  const value = Float64Array.from(points, (point) => {
    const zone = module.call('locate', ...point);
    if (keyword === 'ZONE') return zone + 1;
    const material = zone < 0 ? undefined : problem.materials[module.call('materialOfZone', zone)];
    if (material === undefined) return 0;
    return keyword === 'Rho' ? density(material) : material.icru;
  });
  return { ...layout.header, moments: [value] };
}
