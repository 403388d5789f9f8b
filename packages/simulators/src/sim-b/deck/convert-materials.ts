import {
  BLACK_HOLE_ICRU,
  type ElementFraction,
  findMaterial,
  ionisationEv,
  type LibraryMaterial,
  VACUUM_ICRU,
} from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { DeckMaterial } from '../../deck/material-table.js';
import type { Physics } from '../../project/physics.js';
import { formatCard } from './card.js';
import { findNeutronLibrary, PREDEFINED_COMPOUNDS, PREDEFINED_ELEMENTS } from './material-data.js';

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
 * `MAT-PROP` gives every material its mean excitation energy by the project's table.
 */
export function convertMaterials(
  materials: readonly DeckMaterial[],
  { stoppingPowerTable }: Physics,
  report: ConversionReport,
): ConvertedMaterials {
  const cards = createMaterialCards(report);
  const table = stoppingPowerTable === 'ICRU49' ? 'icru49' : 'icru90';
  const names = materials.map((material, index): string => {
    const special = SPECIAL_NAMES.get(material.icru);
    if (special !== undefined) return special;
    const library = findMaterial(material.icru);
    if (library === undefined) {
      report.refuse(report.originOf(`/materials/${index}`), `no material has the ICRU id ${material.icru}`);
      return '';
    }
    if (material.hasCustomStoppingPower) {
      const message = `the simulator uses its own stopping powers of "${material.name}" instead of the attached file`;
      report.warn('STOPPING_POWER_FILE_UNUSED', message);
    }
    const name = cards.define(material, library);
    cards.setIonisation(name, material.ionisationEv ?? ionisationEv(library, table));
    return name;
  });
  return { names, ...cards };
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

  return {
    materialCards,
    neutronCards,
    compoundCards,
    propertyCards,
    define({ densityGcm3, ionisationEv: ownIonisation, name: called }: DeckMaterial, library: LibraryMaterial): string {
      const density = densityGcm3 ?? library.densityGcm3;
      const element = soleElement(library.composition);
      const predefined =
        element === undefined ? PREDEFINED_COMPOUNDS.get(library.icru) : PREDEFINED_ELEMENTS.get(element);
      if (predefined?.densityGcm3 === density && ownIonisation === undefined) return predefined.name;
      if (element !== undefined) return defineElement(element, density, called);
      if (predefined !== undefined) return defineCompound(density, [[predefined.name, 1]]);
      const components = library.composition.map(({ z, fraction }) => [useElement(z), fraction] as const);
      return defineCompound(density, components);
    },
    setIonisation(name: string, ionisation: number): void {
      propertyCards.push(formatCard('MAT-PROP', [0, 0, ionisation, name, undefined, 0]));
    },
  };
}

function soleElement(composition: readonly ElementFraction[]): number | undefined {
  return composition.length === 1 ? composition[0]?.z : undefined;
}
