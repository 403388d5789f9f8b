import { isObject, type JsonObject, memberOf } from '../json.js';

/**
 * The layout of the first versions, up to 0.9, in today's: figures were the children of a scene, detectors and filters one
 * manager's, outputs went by other names. Told by what is there and not by the number, which the files were careless about.
 */
export function upgradeLayout(file: unknown): unknown {
  const json = findProject(file);
  if (!isObject(json)) return json;
  const scene = memberOf(memberOf(json, 'scene'), 'object');
  const detectors = memberOf(json, 'detectManager') ?? memberOf(json, 'detectorManager');
  const detectGeometries = memberOf(detectors, 'detectGeometries');
  const scoring = memberOf(json, 'scoringManager');
  const beam = memberOf(json, 'beam');
  return {
    ...json,
    ...(isObject(scene) && !Object.hasOwn(json, 'figureManager')
      ? { figureManager: { figures: mapList(memberOf(scene, 'children') ?? [], upgradeFigure) } }
      : {}),
    ...(detectGeometries !== undefined && memberOf(detectors, 'detectors') === undefined
      ? { detectorManager: { detectors: mapList(detectGeometries, upgradeDetector) } }
      : {}),
    ...(isObject(scoring) ? { scoringManager: upgradeScoring(scoring, memberOf(detectors, 'filters')) } : {}),
    ...(isObject(beam) ? { beam: upgradeBeam(beam) } : {}),
  };
}

/** A file of results that the editor saved has its project inside, in one of two places. */
function findProject(file: unknown): unknown {
  if (!isObject(file) || Object.hasOwn(file, 'beam')) return file;
  return memberOf(memberOf(file, 'input'), 'inputJson') ?? memberOf(file, 'inputJson') ?? file;
}

function mapList(list: unknown, change: (item: JsonObject) => JsonObject): unknown {
  return Array.isArray(list) ? list.map((item: unknown) => (isObject(item) ? change(item) : item)) : list;
}

/** The object with values under new names, wherever the old ones are there and the new ones are not. */
function rename(object: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const renamed = Object.entries(names).flatMap(([before, after]): [string, unknown][] => {
    const value = memberOf(object, before);
    return value === undefined || Object.hasOwn(object, after) ? [] : [[after, value]];
  });
  return renamed.length === 0 ? object : { ...object, ...Object.fromEntries(renamed) };
}

/** Before it was `geometryData`, what a figure is stood in `userData`. */
function upgradeFigure(figure: JsonObject): JsonObject {
  return rename(figure, { userData: 'geometryData' });
}

function upgradeDetector(detector: JsonObject): JsonObject {
  if (Object.hasOwn(detector, 'geometryData')) return detector;
  const geometryType = memberOf(detector, 'type');
  const parameters = memberOf(detector, 'data') ?? {};
  const position = memberOf(detector, 'position');
  return { ...detector, geometryData: { geometryType, parameters, ...(position === undefined ? {} : { position }) } };
}

function upgradeScoring(scoring: JsonObject, filters: unknown): JsonObject {
  const named = rename(scoring, { scoringOutputs: 'outputs' });
  const outputs = mapList(memberOf(named, 'outputs'), (output) => rename(output, { detectGeometry: 'detectorUuid' }));
  return {
    ...named,
    ...(outputs === undefined ? {} : { outputs }),
    ...(filters === undefined || Object.hasOwn(named, 'filters') ? {} : { filters }),
  };
}

/** Names of members of one version or another; for some time the particle was a number beside them. */
function upgradeBeam(beam: JsonObject): JsonObject {
  const named = rename(beam, { beamSourceType: 'sourceType', beamSourceFile: 'sourceFile' });
  const pdg = memberOf(named, 'particle_PDG');
  return pdg === undefined || Object.hasOwn(named, 'particle') ? named : { ...named, particle: { pdg } };
}
