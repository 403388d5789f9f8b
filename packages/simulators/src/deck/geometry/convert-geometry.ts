import type { Figure as EngineFigure, Zone as EngineZone } from '@tally/engine';
import type { Project } from '../../project/project.js';
import type { Zone } from '../../project/zone.js';
import type { ConversionReport } from '../conversion-report.js';
import type { MaterialTable } from '../material-table.js';
import { convertFigure } from './convert-figure.js';
import { convertNestedFigures } from './convert-nested-figures.js';
import { convertWorld } from './convert-world.js';
import type { ConvertedGeometry } from './converted-geometry.js';
import { extendWorld } from './extend-world.js';

/** Geant4 projects are a tree of figures, all others are zones made of figures. The world holds all of them. */
export function convertGeometry(
  project: Project,
  materials: MaterialTable,
  report: ConversionReport,
): ConvertedGeometry | undefined {
  const geometry =
    project.project.simulator === 'geant4'
      ? convertNestedFigures(project, materials, report)
      : convertZones(project, materials, report);
  return geometry && extendWorld(geometry, materials.materials, report);
}

function convertZones(
  project: Project,
  materials: MaterialTable,
  report: ConversionReport,
): ConvertedGeometry | undefined {
  const figures: EngineFigure[] = [];
  const figureIndexes = new Map<string, number>();
  for (const [index, figure] of project.figureManager.figures.entries()) {
    const path = `/figureManager/figures/${index}`;
    report.trace(`/figures/${figures.length}`, path);
    figureIndexes.set(figure.uuid, figures.length);
    figures.push(convertFigure(figure.name, figure.geometryData));
  }
  const zones: EngineZone[] = [];
  const zoneIndexes = new Map<string, number>();
  for (const [index, zone] of project.zoneManager.zones.entries()) {
    const path = `/zoneManager/zones/${index}`;
    const terms = convertTerms(zone, figureIndexes);
    if (terms.length === 0) {
      report.warn('ZONE_EMPTY', `zone "${zone.name}" has no figures and is left out`);
      continue;
    }
    report.trace(`/zones/${zones.length}`, path);
    zoneIndexes.set(zone.uuid, zones.length);
    zones.push({ name: zone.name, material: materials.place(zone, path), terms });
  }
  const world = convertWorld(project, figures, report);
  if (world === undefined || !project.zoneManager.worldZone) return undefined;
  report.trace(`/figures/${figures.length}`, '/zoneManager/worldZone/geometryData');
  report.trace('/world', '/zoneManager/worldZone');
  zoneIndexes.set(project.zoneManager.worldZone.uuid, zones.length);
  return {
    figures: [...figures, world],
    zones,
    world: {
      figure: figures.length,
      material: materials.place(project.zoneManager.worldZone, '/zoneManager/worldZone'),
    },
    zoneIndexes,
  };
}

function convertTerms(zone: Zone, figureIndexes: ReadonlyMap<string, number>): EngineZone['terms'] {
  return zone.unionOperations
    .filter((term) => term.length > 0)
    .map((term) =>
      term.map(({ mode, objectUuid }) => {
        const figure = figureIndexes.get(objectUuid);
        // readProject lets no reference through that resolves to nothing.
        return { mode, figure: figure ?? 0 };
      }),
    );
}
