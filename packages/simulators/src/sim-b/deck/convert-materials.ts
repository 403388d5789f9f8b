import { BLACK_HOLE_ICRU, type ElementFraction, findMaterial, type LibraryMaterial, VACUUM_ICRU } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { DeckMaterial } from '../../deck/material-table.js';
import { findIonisationEv, warnOfAttachedPowers, warnOfUnusedTable } from '../../deck/stopping-powers.js';
import type { Physics } from '../../project/physics.js';
import { formatCard } from './card.js';
import {
  findNeutronLibrary,
  PREDEFINED_COMPOUNDS,
  PREDEFINED_ELEMENTS,
  type PredefinedMaterial,
} from './material-data.js';

/** Components that one `COMPOUND` card takes. */
const COMPONENTS_PER_CARD = 3;
const SPECIAL_NAMES = new Map([
  [BLACK_HOLE_ICRU, 'BLCKHOLE'],
  [VACUUM_ICRU, 'VACUUM'],
]);

/** A deck's materials: the name of each, and the cards that define those that the simulator does not know. */
export interface ConvertedMaterials {
  /** By index into the table of materials. */
  readonly names: readonly string[];
  /** In the order in which the deck has them. */
  readonly materialCards: readonly string[];
  readonly neutronCards: readonly string[];
  readonly compoundCards: readonly string[];
  readonly propertyCards: readonly string[];
}

/**
 * Every material by its composition: elements and compounds of the simulator's own where it has them in this density and
 * nothing else about them is changed, otherwise `MATERIAL` with `LOW-MAT`, or `MATERIAL` with `COMPOUND` of mass fractions.
 * `MAT-PROP` gives the mean excitation energy of materials that the deck defines, for which the simulator would take a sum
 * over the elements, and of those for which the project asks for another than the simulator's.
 */
export function convertMaterials(
  materials: readonly DeckMaterial[],
  physics: Physics,
  report: ConversionReport,
): ConvertedMaterials {
  const cards = createMaterialCards(report);
  const names = materials.map((material, index): string => {
    const special = SPECIAL_NAMES.get(material.icru);
    if (special !== undefined) return special;
    const library = findMaterial(material.icru);
    if (library === undefined) {
      report.refuse(report.originOf(`/materials/${index}`), `no material has the ICRU id ${material.icru}`);
      return '';
    }
    warnOfAttachedPowers(material, library, report);
    return cards.define(material, library);
  });
  warnOfUnusedTable(materials, physics, report);
  return { names, ...cards };
}

/** A material that the deck defines: an element by its charge number, or a compound. */
interface Definition {
  readonly density: number;
  readonly element: number | undefined;
  /** The compound that the simulator knows in another density, or with another mean excitation energy. */
  readonly predefined: PredefinedMaterial | undefined;
}

function createMaterialCards(report: ConversionReport) {
  const materialCards: string[] = [];
  const neutronCards: string[] = [];
  const compoundCards: string[] = [];
  const propertyCards: string[] = [];
  const elements = new Map<number, string>();
  let elementCount = 0;
  let compoundCount = 0;

  const defineElement = (z: number, density: number, called: string): string => {
    elementCount += 1;
    const name = `MAT${String(elementCount).padStart(5, '0')}`;
    const { name: library, isSubstitute } = findNeutronLibrary(z);
    if (isSubstitute) {
      const message = `there are no data for neutrons below 20 MeV in ${called}: those of ${library} stand in for them`;
      report.warn('NEUTRON_DATA_SUBSTITUTED', message);
    }
    materialCards.push(formatCard('MATERIAL', [z, undefined, density], name));
    neutronCards.push(formatCard('LOW-MAT', [name], library));
    return name;
  };
  /** An element as a component, where its density does not matter. */
  const useElement = (z: number): string => {
    const known = PREDEFINED_ELEMENTS.get(z)?.name ?? elements.get(z);
    if (known !== undefined) return known;
    const library = findMaterial(z);
    const name = defineElement(z, library?.densityGcm3 ?? 1, library?.name ?? `element ${z}`);
    elements.set(z, name);
    return name;
  };
  const defineCompound = (density: number, components: readonly (readonly [string, number])[]): string => {
    compoundCount += 1;
    const name = `COM${String(compoundCount).padStart(5, '0')}`;
    materialCards.push(formatCard('MATERIAL', [0, undefined, density], name));
    for (let first = 0; first < components.length; first += COMPONENTS_PER_CARD) {
      const some = components.slice(first, first + COMPONENTS_PER_CARD);
      const fields = some.flatMap(([component, fraction]) => [-fraction, component]);
      compoundCards.push(formatCard('COMPOUND', fields, name));
    }
    return name;
  };
  const defineMaterial = (
    called: string,
    library: LibraryMaterial,
    { density, element, predefined }: Definition,
  ): string => {
    if (element !== undefined) return defineElement(element, density, called);
    if (predefined !== undefined) return defineCompound(density, [[predefined.name, 1]]);
    const components = library.composition.map(({ z, fraction }) => [useElement(z), fraction] as const);
    return defineCompound(density, components);
  };

  return {
    materialCards,
    neutronCards,
    compoundCards,
    propertyCards,
    define(material: DeckMaterial, library: LibraryMaterial): string {
      const density = material.densityGcm3 ?? library.densityGcm3;
      const ionisation = findIonisationEv(material, library, 'simB');
      const isAskedFor = material.ionisationEv !== undefined || material.stoppingPowerTable !== undefined;
      const element = soleElement(library.composition);
      const predefined =
        element === undefined ? PREDEFINED_COMPOUNDS.get(library.icru) : PREDEFINED_ELEMENTS.get(element);
      const isKnown = element !== undefined && ionisation === findMaterial(element)?.ionisationEv;
      if (predefined?.densityGcm3 === density && !isAskedFor && (element === undefined || isKnown)) {
        return predefined.name;
      }
      const name = defineMaterial(material.name, library, { density, element, predefined });
      if (isAskedFor || !isKnown) {
        propertyCards.push(formatCard('MAT-PROP', [0, 0, ionisation, name, undefined, 0]));
      }
      return name;
    },
  };
}

function soleElement(composition: readonly ElementFraction[]): number | undefined {
  return composition.length === 1 ? composition[0]?.z : undefined;
}
