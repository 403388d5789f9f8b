import { BLACK_HOLE_ICRU, findMaterial, VACUUM_ICRU } from '@tally/engine';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { DeckMaterial } from '../../deck/material-table.js';
import type { NameTable } from '../../deck/name-table.js';
import { findIonisationEv, warnOfAttachedPowers, warnOfUnusedTable } from '../../deck/stopping-powers.js';
import type { Physics } from '../../project/physics.js';
import type { Fill } from './fill-table.js';
import { dimensioned, integer, text, texts, unitlessValues } from './parameter.js';

const LEAD = 82;
const HYDROGEN = 1;
/** Stops every charged particle on the spot. */
const BLACK_HOLE_DENSITY_GCM3 = 1e8;
const LEAD_IONISATION_EV = 823;
/** As thin as the simulator's own vacuum. */
const VACUUM_DENSITY_GCM3 = 1e-25;
const HYDROGEN_IONISATION_EV = 19.2;

/** A material as the deck defines it. */
interface Definition {
  readonly elements: readonly { readonly z: number; readonly atomicWeight: number; readonly fraction: number }[];
  readonly densityGcm3: number;
  readonly ionisationEv: number;
}

export interface ConvertedMaterials {
  readonly lines: readonly string[];
  /** Name of the material of a fill. */
  nameOfFill(fill: number): string;
  /** Name of a material by its place in the table: media of quantities. */
  nameOf(material: number): string;
}

/**
 * Every material by its composition, density and mean excitation energy, so that none depends on what the simulator
 * knows by name. A zone that is scored has a material of its own name: scorers find it by that.
 */
export function convertMaterials(
  materials: readonly DeckMaterial[],
  fills: readonly Fill[],
  media: readonly number[],
  context: { readonly physics: Physics; readonly names: NameTable; readonly report: ConversionReport },
): ConvertedMaterials {
  warnOfUnusedTable(materials, context.physics, context.report);
  const definitions = materials.map((material, index) =>
    defineMaterial(material, context.report.originOf(`/materials/${index}`), context.report),
  );
  const keys = [...fills.map(fillKey), ...media.map((material) => fillKey({ material }))];
  const used = new Map<string, { name: string; material: number }>();
  for (const [index, key] of keys.entries()) {
    const fill = fills[index] ?? { material: media[index - fills.length] ?? 0 };
    const { name, sanitizedName } = materials[fill.material] ?? { name: '' };
    const suffix = fill.zone === undefined ? '' : ` zone ${fill.zone + 1}`;
    if (!used.has(key)) {
      used.set(key, {
        name: context.names.claim(`material ${key}`, (sanitizedName ?? name) + suffix),
        material: fill.material,
      });
    }
  }
  const elements = new Map(definitions.flatMap(({ elements }) => elements).map((element) => [element.z, element]));
  const nameOf = (key: string): string => used.get(key)?.name ?? '';
  return {
    lines: [
      ...[...elements.values()].toSorted((one, other) => one.z - other.z).flatMap(elementLines),
      ...[...used.values()].flatMap(({ name, material }) => {
        const definition = definitions[material];
        return definition === undefined ? [] : materialLines(name, definition);
      }),
    ],
    nameOfFill: (fill) => nameOf(fillKey(fills[fill] ?? { material: 0 })),
    nameOf: (material) => nameOf(fillKey({ material })),
  };
}

function fillKey({ material, zone }: Fill): string {
  return zone === undefined ? `${material}` : `${material} ${zone}`;
}

function defineMaterial(material: DeckMaterial, path: string, report: ConversionReport): Definition {
  if (material.icru === VACUUM_ICRU) return pureElement(HYDROGEN, VACUUM_DENSITY_GCM3, HYDROGEN_IONISATION_EV);
  if (material.icru === BLACK_HOLE_ICRU) return pureElement(LEAD, BLACK_HOLE_DENSITY_GCM3, LEAD_IONISATION_EV);
  const library = findMaterial(material.icru);
  if (library === undefined) {
    report.refuse(path, `material "${material.name}" (ICRU ${material.icru}) is not known`);
    return { elements: [], densityGcm3: 0, ionisationEv: 0 };
  }
  warnOfAttachedPowers(material, library, report);
  return {
    elements: library.composition,
    densityGcm3: material.densityGcm3 ?? library.densityGcm3,
    ionisationEv: findIonisationEv(material, library, 'simD'),
  };
}

function pureElement(z: number, densityGcm3: number, ionisation: number): Definition {
  const elements = (findMaterial(z)?.composition ?? []).map((element) => ({ ...element, fraction: 1 }));
  return { elements, densityGcm3, ionisationEv: ionisation };
}

function elementName(z: number): string {
  return `Element${z}`;
}

function elementLines({ z, atomicWeight }: Definition['elements'][number]): string[] {
  const path = `El/${elementName(z)}`;
  return [
    text(`${path}/Symbol`, findMaterial(z)?.name ?? `E${z}`),
    integer(`${path}/AtomicNumber`, z),
    dimensioned(`${path}/AtomicMass`, atomicWeight, 'g/mole'),
  ];
}

function materialLines(name: string, { elements, densityGcm3, ionisationEv: ionisation }: Definition): string[] {
  const path = `Ma/${name}`;
  return [
    texts(
      `${path}/Components`,
      elements.map(({ z }) => elementName(z)),
    ),
    unitlessValues(
      `${path}/Fractions`,
      elements.map(({ fraction }) => fraction),
    ),
    dimensioned(`${path}/Density`, densityGcm3, 'g/cm3'),
    dimensioned(`${path}/MeanExcitationEnergy`, ionisation, 'eV'),
    text(`${path}/DefaultColor`, 'grey'),
  ];
}
