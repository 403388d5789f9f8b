import type { ConversionItem } from '../conversion-error.js';
import { listFigures } from './list-figures.js';
import type { Project } from './project.js';
import type { Quantity } from './scoring.js';
import type { Zone } from './zone.js';

/** A uuid that something is known by, and where. */
interface Named {
  readonly uuid: string;
  readonly path: string;
}

/**
 * Every uuid that refers to nothing, and every uuid that two things of one kind share. Detectors that no output uses may
 * refer to anything.
 * @returns an empty list for a sound project
 */
export function checkReferences(project: Project): ConversionItem[] {
  const items: ConversionItem[] = [];
  const index = (noun: string, named: readonly Named[]): Set<string> => {
    const known = new Set<string>();
    for (const { uuid, path } of named) {
      if (known.has(uuid)) items.push({ path: `${path}/uuid`, message: `must be unique among ${noun}s` });
      known.add(uuid);
    }
    return known;
  };
  const require = (known: ReadonlySet<string>, noun: string, uuid: string | undefined, path: string): void => {
    if (uuid !== undefined && !known.has(uuid)) items.push({ path, message: `refers to no ${noun} of the project` });
  };

  const { zones, worldZone } = project.zoneManager;
  const { outputs, filters } = project.scoringManager;
  const figureIds = index('figure', listFigures(project.figureManager.figures).map(nameFigure));
  const materialIds = index('material', locate(project.materialManager.materials, '/materialManager/materials'));
  const zoneIds = index('zone', [
    ...locate(zones, '/zoneManager/zones'),
    ...(worldZone ? [{ uuid: worldZone.uuid, path: '/zoneManager/worldZone' }] : []),
  ]);
  const detectorIds = index('detector', locate(project.detectorManager.detectors, '/detectorManager/detectors'));
  const filterIds = index('filter', locate(filters, '/scoringManager/filters'));

  const requireMaterial = (owner: Pick<Quantity, 'materialUuid' | 'customMaterial'>, path: string): void => {
    const custom = owner.customMaterial;
    if (custom !== undefined && owner.materialUuid === custom.uuid) return;
    require(materialIds, 'material', owner.materialUuid, `${path}/materialUuid`);
  };
  for (const [zoneIndex, zone] of zones.entries()) {
    const path = `/zoneManager/zones/${zoneIndex}`;
    requireMaterial(zone, path);
    for (const operation of listOperations(zone, path)) require(figureIds, 'figure', operation.uuid, operation.path);
  }
  if (worldZone) requireMaterial(worldZone, '/zoneManager/worldZone');
  const usedDetectors = new Set(outputs.map(({ detectorUuid }) => detectorUuid));
  for (const [detectorIndex, { uuid, geometryData }] of project.detectorManager.detectors.entries()) {
    if (geometryData.geometryType !== 'Zone' || !usedDetectors.has(uuid)) continue;
    const path = `/detectorManager/detectors/${detectorIndex}/geometryData/parameters/zoneUuid`;
    require(zoneIds, 'zone', geometryData.parameters.zoneUuid, path);
  }
  for (const [outputIndex, output] of outputs.entries()) {
    const path = `/scoringManager/outputs/${outputIndex}`;
    require(detectorIds, 'detector', output.detectorUuid, `${path}/detectorUuid`);
    require(zoneIds, 'zone', output.zoneUuid, `${path}/zoneUuid`);
    for (const [quantityIndex, quantity] of output.quantities.entries()) {
      const quantityPath = `${path}/quantities/${quantityIndex}`;
      require(filterIds, 'filter', quantity.filter, `${quantityPath}/filter`);
      requireMaterial(quantity, quantityPath);
    }
  }
  const modulatorZone = project.specialComponentsManager.modulator?.geometryData.parameters.zoneUuid;
  const modulatorPath = '/specialComponentsManager/modulator/geometryData/parameters/zoneUuid';
  require(zoneIds, 'zone', modulatorZone, modulatorPath);
  return items;
}

function locate(named: readonly { readonly uuid: string }[], path: string): Named[] {
  return named.map(({ uuid }, index) => ({ uuid, path: `${path}/${index}` }));
}

function nameFigure({ figure, path }: { figure: { uuid: string }; path: string }): Named {
  return { uuid: figure.uuid, path };
}

function listOperations(zone: Zone, zonePath: string): Named[] {
  return zone.unionOperations.flatMap((term, termIndex) =>
    term.map(({ objectUuid }, index) => ({
      uuid: objectUuid,
      path: `${zonePath}/unionOperations/${termIndex}/${index}/objectUuid`,
    })),
  );
}
