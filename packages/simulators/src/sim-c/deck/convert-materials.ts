import { BLACK_HOLE_ICRU, findMaterial, VACUUM_ICRU } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { DeckMaterial } from '../../deck/material-table.js';
import { createNameTable } from '../../deck/name-table.js';
import { findIonisationEv, warnOfAttachedPowers, warnOfUnusedTable } from '../../deck/stopping-powers.js';
import type { Physics } from '../../project/physics.js';
import { type XmlElement, xml } from './xml-text.js';

/** Vacuum, which the simulator knows by itself. */
export const VACUUM = 'G4_Galactic';
const BLACK_HOLE = 'BlackHole';
const NAME_RULES = { forbidden: /[^A-Za-z0-9_]+/g, lengthMax: 60, fallback: 'material', letterFirst: true };

export interface ConvertedMaterials {
  /** By index into the table of materials. */
  readonly names: readonly string[];
  /** Children of `materials`: elements first. */
  readonly elements: readonly XmlElement[];
}

/**
 * Every material by its composition, density and mean excitation energy. The names that the editor gives for the
 * simulator's own materials are not used: they have other densities, and those of ICRU 138 and 139 are exchanged.
 */
export function convertMaterials(
  materials: readonly DeckMaterial[],
  physics: Physics,
  report: ConversionReport,
): ConvertedMaterials {
  warnOfUnusedTable(materials, physics, report);
  const claimName = createNameTable(NAME_RULES, [VACUUM, BLACK_HOLE]).claim;
  const elements = new Map<number, XmlElement>();
  const defined = materials.map((material, index): { readonly name: string; readonly definition?: XmlElement } => {
    if (material.icru === VACUUM_ICRU) return { name: VACUUM };
    if (material.icru === BLACK_HOLE_ICRU) return { name: BLACK_HOLE, definition: blackHole() };
    const library = findMaterial(material.icru);
    if (library === undefined) {
      report.refuse(report.originOf(`/materials/${index}`), `no material has the ICRU id ${material.icru}`);
      return { name: '' };
    }
    warnOfAttachedPowers(material, library, report);
    const fractions = library.composition.map(({ z, atomicWeight, fraction }) => {
      const symbol = findMaterial(z)?.name ?? String(z);
      elements.set(z, defineElement(z, symbol, atomicWeight));
      return xml('fraction', { n: String(fraction), ref: elementName(symbol) });
    });
    const name = claimName(String(index), material.sanitizedName ?? material.name);
    const ionisation = findIonisationEv(material, library, 'simC');
    const properties = [
      xml('MEE', { unit: 'eV', value: String(ionisation) }),
      xml('D', { unit: 'g/cm3', value: String(material.densityGcm3 ?? library.densityGcm3) }),
    ];
    return { name, definition: xml('material', { name }, [...properties, ...fractions]) };
  });
  return {
    names: defined.map(({ name }) => name),
    elements: [...elements.values(), ...defined.flatMap(({ definition }) => definition ?? [])],
  };
}

function elementName(symbol: string): string {
  return `element${symbol}`;
}

function defineElement(z: number, symbol: string, atomicWeight: number): XmlElement {
  const atom = xml('atom', { unit: 'g/mole', value: String(atomicWeight) });
  return xml('element', { name: elementName(symbol), formula: symbol, Z: String(z) }, [atom]);
}

/** So dense that nothing charged leaves it. */
function blackHole(): XmlElement {
  return xml('material', { name: BLACK_HOLE, state: 'solid' }, [
    xml('T', { unit: 'K', value: '293.15' }),
    xml('MEE', { unit: 'eV', value: '823' }),
    xml('D', { unit: 'g/cm3', value: '1e+8' }),
    xml('fraction', { n: '1', ref: 'G4_Pb' }),
  ]);
}
