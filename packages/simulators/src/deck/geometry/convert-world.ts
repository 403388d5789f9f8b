import type { Figure as EngineFigure, Vector } from '@tally/engine';
import type { Project } from '../../project/project.js';
import { findStatedGeometry, type WorldZone } from '../../project/zone.js';
import type { ConversionReport } from '../conversion-report.js';
import { convertFigure } from './convert-figure.js';
import { findFigureLimits } from './figure-limits.js';

/** The editor's own margin around the figures when it calculates the world itself. */
const DEFAULT_MARGIN = 1.1;
const PATH = '/zoneManager/worldZone';

/**
 * The figure of the world: what the project says, or, where it leaves that to be calculated, the bounding box of all
 * figures times the margin.
 * @returns `undefined` when there is none, after reporting it
 */
export function convertWorld(
  project: Project,
  figures: readonly EngineFigure[],
  report: ConversionReport,
): EngineFigure | undefined {
  const zone = project.zoneManager.worldZone;
  if (!zone) {
    report.refuse(PATH, 'is missing: the space around the zones needs a material');
    return undefined;
  }
  const geometry = findStatedGeometry(zone);
  if (geometry !== undefined) return convertFigure(zone.name, geometry);
  if (!zone.autoCalculate) {
    report.refuse(`${PATH}/geometryData`, 'must have a size, or autoCalculate must be true');
    return undefined;
  }
  if (figures.length === 0) {
    report.refuse(PATH, 'cannot be calculated without figures');
    return undefined;
  }
  return boundingBox(zone, figures);
}

function boundingBox(zone: WorldZone, figures: readonly EngineFigure[]): EngineFigure {
  const margins = readMargins(zone.marginMultiplier);
  const axes = [0, 1, 2] as const;
  const limits = figures.map(findFigureLimits);
  const edges = axes.map((axis) => ({
    low: Math.min(...limits.map((limit) => limit[axis][0])),
    high: Math.max(...limits.map((limit) => limit[axis][1])),
  }));
  const along = (measure: (edge: { low: number; high: number }, axis: 0 | 1 | 2) => number): Vector => {
    const [x, y, z] = axes.map((axis) => measure(edges[axis] ?? { low: 0, high: 0 }, axis));
    return [x ?? 0, y ?? 0, z ?? 0];
  };
  return {
    name: zone.name,
    shape: { type: 'box', sizeCm: along((edge, axis) => (edge.high - edge.low) * margins[axis]) },
    centerCm: along((edge) => (edge.high + edge.low) / 2),
    rotationDeg: [0, 0, 0],
  };
}

function readMargins(margin: WorldZone['marginMultiplier']): Vector {
  if (margin === undefined) return [DEFAULT_MARGIN, DEFAULT_MARGIN, DEFAULT_MARGIN];
  return typeof margin === 'number' ? [margin, margin, margin] : [margin.x, margin.y, margin.z];
}
