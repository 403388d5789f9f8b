import type { Fault } from '../fault.js';
import { BLACK_HOLE_ICRU, VACUUM_ICRU } from '../material/material-library.js';
import type { Detector, Material, Modifier, Quantity } from './problem.js';
import { MAP_UNITS, MODIFIER_CODES, REFUSED_QUANTITIES, SCORED_QUANTITIES } from './quantity.js';

const MODIFIERS_MAX = 2;
const ENERGY_AXES = ['E', 'ENUC', 'EAMU'];

function modifierFaults({ type, lower, upper, log }: Modifier, path: string): Fault[] {
  const faults: Fault[] = [];
  if (!MODIFIER_CODES.has(type)) {
    faults.push({ path: `${path}.type`, message: `differential axis "${type}" is not supported` });
  }
  if (!(lower < upper)) faults.push({ path: `${path}.lower`, message: `not below the upper limit ${upper}` });
  if (log && lower <= 0) faults.push({ path: `${path}.lower`, message: 'a logarithmic axis begins above 0' });
  return faults;
}

function keywordFaults(keyword: string, path: string): Fault[] {
  if (SCORED_QUANTITIES.has(keyword) || MAP_UNITS.has(keyword)) return [];
  const reason = REFUSED_QUANTITIES.get(keyword) ?? 'it is not known';
  return [{ path: `${path}.keyword`, message: `quantity "${keyword}" is not supported: ${reason}` }];
}

function mediumFaults(quantity: Quantity, materials: readonly Material[], path: string): Fault[] {
  if (quantity.material === undefined) return [];
  const place = `${path}.material`;
  const material = materials[quantity.material];
  if (material === undefined) return [{ path: place, message: `materials has no entry ${quantity.material}` }];
  if (material.icru === VACUUM_ICRU || material.icru === BLACK_HOLE_ICRU) {
    return [{ path: place, message: `"${material.name}" is no medium for ${quantity.keyword}` }];
  }
  if (SCORED_QUANTITIES.get(quantity.keyword)?.takesMedium === false || MAP_UNITS.has(quantity.keyword)) {
    return [{ path: place, message: `${quantity.keyword} in another medium is not supported` }];
  }
  return [];
}

function mapFaults(quantity: Quantity, detector: Detector | undefined, path: string): Fault[] {
  if (!MAP_UNITS.has(quantity.keyword)) return [];
  const faults: Fault[] = [];
  if (quantity.modifiers.length > 0) {
    faults.push({ path: `${path}.modifiers`, message: `the map ${quantity.keyword} has no differential axes` });
  }
  if (detector?.type === 'all' || detector?.type === 'zone') {
    faults.push({ path: `${path}.keyword`, message: `the map ${quantity.keyword} needs a mesh or cylinder detector` });
  }
  return faults;
}

/** Everything about one quantity that the engine cannot score. */
export function quantityFaults(
  quantity: Quantity,
  detector: Detector | undefined,
  materials: readonly Material[],
  path: string,
): Fault[] {
  const faults = keywordFaults(quantity.keyword, path);
  const { modifiers } = quantity;
  if (modifiers.length > MODIFIERS_MAX) {
    faults.push({ path: `${path}.modifiers`, message: `more than ${MODIFIERS_MAX} differential axes` });
  }
  faults.push(...modifiers.flatMap((modifier, i) => modifierFaults(modifier, `${path}.modifiers[${i}]`)));
  if (quantity.keyword === 'KineticEnergySpectrum' && !modifiers.some(({ type }) => ENERGY_AXES.includes(type))) {
    faults.push({ path: `${path}.modifiers`, message: 'KineticEnergySpectrum needs an energy axis' });
  }
  return [...faults, ...mapFaults(quantity, detector, path), ...mediumFaults(quantity, materials, path)];
}
