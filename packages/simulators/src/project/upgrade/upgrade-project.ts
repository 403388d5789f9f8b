import type { ConversionWarning } from '../../conversion-warning.js';
import { changeAt, isObject, type JsonObject, memberOf } from '../json.js';
import { numberParticle } from '../particle.js';

/** The newest minor number of format 0 that is known. */
const MINOR_VERSION_KNOWN = 13;

type Warn = (warning: ConversionWarning) => void;
type Change = readonly [pattern: string, change: (value: unknown) => unknown];

/**
 * A project of any version of the editor, laid out as today, in the form of the newest one that is known, 0.13: particles
 * by number, quantities in a list, cylinders under one name, a world with a geometry. Members that came later than the
 * project stay absent: the schema gives them the editor's defaults. A version that is not known is tried, with a warning.
 * @param json - nested as deep as is allowed; anything else about it is checked later
 */
export function upgradeProject(json: unknown, warn: Warn): unknown {
  warnOfVersion(memberOf(memberOf(json, 'metadata'), 'version'), warn);
  const simulator = memberOf(memberOf(json, 'project'), 'simulator');
  const particle = (value: unknown): unknown => numberParticle(value, simulator);
  const changes: readonly Change[] = [
    ['/beam/particle', particle],
    ['/scoringManager/filters/*/particle', particle],
    ['/scoringManager/filters/*/data/particleTypes/*', particle],
    ['/scoringManager/outputs/*/quantities', listQuantities],
    ['/scoringManager/outputs/*/quantities/*', upgradeQuantity],
    ['/scoringManager/outputs/*/quantities/*/customMaterial', upgradeMaterial],
    ['/zoneManager/zones/*/customMaterial', upgradeMaterial],
    ['/materialManager/materials/*', upgradeMaterial],
    ['/zoneManager/worldZone', upgradeWorld],
    ['/zoneManager/worldZone/geometryData', (geometry) => upgradeGeometry(geometry, () => undefined)],
    ['/figureManager/figures/*', (figure) => upgradeFigure(figure, warn)],
  ];
  return changes.reduce((upgraded, [pattern, change]) => changeAt(upgraded, pattern, change), json);
}

function warnOfVersion(version: unknown, warn: Warn): void {
  // the first files say the number 1, or nothing
  if (version === undefined || version === null || version === 1) return;
  const minor = typeof version === 'string' || typeof version === 'number' ? /^0\.(\d{1,3})$/.exec(`${version}`) : null;
  if (minor !== null && Number(minor[1]) <= MINOR_VERSION_KNOWN) return;
  const shown = JSON.stringify(version).slice(0, 40);
  const message = `the format version ${shown} is not known: the project is read as one of 0.${MINOR_VERSION_KNOWN}`;
  warn({ code: 'FORMAT_VERSION_UNKNOWN', message });
}

/** Very old files keep the list of quantities in `active`. */
function listQuantities(quantities: unknown): unknown {
  return isObject(quantities) ? (memberOf(quantities, 'active') ?? []) : quantities;
}

/** Switches of old files: set to false, the value that stands beside them is off. */
const TOGGLED_KEYS = {
  hasFilter: 'filter',
  hasRescale: 'rescale',
  hasPrimaries: 'primaries',
  hasMedium: 'medium',
  hasMaterial: 'materialUuid',
};
/** Keywords by the names of Geant4's scorers, which the first Geant4 projects have instead. */
const KEYWORDS: ReadonlyMap<unknown, string> = new Map([
  ['doseDeposit', 'DoseGy'],
  ['energyDeposit', 'Energy'],
  ['cellFlux', 'Fluence'],
]);

/** Very old quantities have no name either. */
function upgradeQuantity(quantity: unknown): unknown {
  if (!isObject(quantity)) return quantity;
  const off = Object.entries(TOGGLED_KEYS).filter(([toggle]) => memberOf(quantity, toggle) === false);
  const kept = Object.entries(quantity).filter(([key]) => !off.some(([, toggled]) => toggled === key));
  const keyword = memberOf(quantity, 'keyword') ?? KEYWORDS.get(memberOf(quantity, 'quantityType'));
  return { name: keyword, ...Object.fromEntries(kept), ...(keyword === undefined ? {} : { keyword }) };
}

/** Old files spell the identifier of a material with an underscore. */
function upgradeMaterial(material: unknown): unknown {
  const sanitizedName = memberOf(material, 'sanitizedName') ?? memberOf(material, 'sanitized_name');
  return isObject(material) && sanitizedName !== undefined ? { ...material, sanitizedName } : material;
}

/** Old files have the world's geometry under another name, or its size beside its type: x is the radius of what is round. */
function upgradeWorld(world: unknown): unknown {
  if (!isObject(world) || (memberOf(world, 'geometryData') ?? undefined) !== undefined) return world;
  const geometryData = memberOf(world, 'userData');
  if (geometryData !== undefined) return { ...world, geometryData };
  const [size, center] = [memberOf(world, 'size'), memberOf(world, 'center')];
  if (!isObject(size)) return world;
  const along = (vector: unknown): unknown[] => ['x', 'y', 'z'].map((axis) => memberOf(vector, axis));
  const [width, height, depth] = along(size);
  const position = isObject(center) ? along(center) : [0, 0, 0];
  return {
    ...world,
    geometryData: { ...describeShape(memberOf(world, 'geometryType'), width, height, depth), position },
  };
}

function describeShape(geometryType: unknown, width: unknown, height: unknown, depth: unknown): JsonObject {
  const name = String(geometryType);
  if (name.includes('Sphere')) return { geometryType: 'SphereGeometry', parameters: { radius: width } };
  if (name.includes('Cylinder')) {
    return { geometryType: 'HollowCylinderGeometry', parameters: { innerRadius: 0, radius: width, depth } };
  }
  return { geometryType: 'BoxGeometry', parameters: { width, height, depth } };
}

/** The three names under which the editor has written a cylinder, one of them misspelt. */
const CYLINDER_NAMES: readonly unknown[] = ['HollowCylinderGeometry', 'CylinderGeometry', 'CyliderGeometry'];

/**
 * A cylinder under its present name, and solid unless its inner radius is smaller than its radius: the editor has no field
 * for it, and writes the world's as large as the radius.
 */
function upgradeGeometry(geometry: unknown, warnOfHole: (innerRadius: unknown) => void): unknown {
  const parameters = upgradeCylinder(memberOf(geometry, 'parameters'));
  if (!isObject(geometry) || !CYLINDER_NAMES.includes(memberOf(geometry, 'geometryType'))) return geometry;
  const named = { ...geometry, geometryType: 'HollowCylinderGeometry', parameters };
  const [innerRadius, radius] = [memberOf(parameters, 'innerRadius'), memberOf(parameters, 'radius')];
  if (!isObject(parameters) || typeof radius !== 'number') return named;
  const isSound = typeof innerRadius === 'number' && innerRadius >= 0 && innerRadius < radius;
  if (isSound) return named;
  if (innerRadius !== undefined && innerRadius !== null) warnOfHole(innerRadius);
  return { ...named, parameters: { ...parameters, innerRadius: 0 } };
}

/** The first files have the names of the graphics library for a cylinder's sizes. */
function upgradeCylinder(parameters: unknown): unknown {
  if (!isObject(parameters) || Object.hasOwn(parameters, 'radius')) return parameters;
  const [radius, depth] = [memberOf(parameters, 'radiusTop'), memberOf(parameters, 'height')];
  return radius === undefined ? parameters : { ...parameters, radius, depth: memberOf(parameters, 'depth') ?? depth };
}

function upgradeFigure(figure: unknown, warn: Warn): unknown {
  if (!isObject(figure)) return figure;
  const warnOfHole = (innerRadius: unknown): void => {
    const shown = JSON.stringify(innerRadius).slice(0, 40);
    const message = `figure "${String(memberOf(figure, 'name'))}" is solid: its inner radius is ${shown}, not less than its radius`;
    warn({ code: 'FIGURE_SOLID', message });
  };
  const placed = changeAt(figure, '/geometryData', (geometry) => upgradeGeometry(geometry, warnOfHole));
  return changeAt(placed, '/children/*', (child) => upgradeFigure(child, warn));
}
