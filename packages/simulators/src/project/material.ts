import { z } from 'zod';
import { absentable, labels, nameField, switchField, uuidField } from './fields.js';

/** Upper bound that no matter reaches, g/cm³: catches a density given in kg/m³. */
const DENSITY_GCM3_MAX = 100;

const densityField = z.number().nonnegative().max(DENSITY_GCM3_MAX);
/** Mean excitation energy, eV. */
const ionisationField = z.number().positive();

/** What stands at a material; the forms show nothing of it but which one it is. */
const properties = {
  name: nameField.catch(''),
  /** ICRU id 1–278, 906, 1000 (vacuum) or 0 (black hole); which of them a simulator knows is its own matter. */
  icru: z.int().nonnegative(),
  /** Never used: old editors wrote 1 for every material. The material's own is the table's, or an override. */
  density: z.number().optional().catch(undefined),
  customStoppingPower: switchField.catch(false),
  averageIonisationPotential: absentable(ionisationField).catch(undefined),
  sanitizedName: nameField.optional().catch(undefined),
};

/** A material of the project's list. */
export const materialSchema = z.looseObject({ ...properties, uuid: uuidField });

export type Material = z.output<typeof materialSchema>;

/** A material edited for one zone or quantity; in effect only together with overrides. */
export const customMaterialSchema = z.looseObject({
  ...properties,
  uuid: uuidField,
  originalMaterialUuid: uuidField.optional(),
});

export type CustomMaterial = z.output<typeof customMaterialSchema>;

/** What a zone or quantity changes about its material. */
export const materialOverridesSchema = z.looseObject({
  density: absentable(densityField).meta(labels('Density', 'g/cm³')),
  customStoppingPower: absentable(z.boolean()),
  /** No form has it. */
  averageIonisationPotential: absentable(ionisationField).catch(undefined),
});

export type MaterialOverrides = z.output<typeof materialOverridesSchema>;

/** The material of a figure in a Geant4 project. */
export const simulationMaterialSchema = z.looseObject(properties);

export type SimulationMaterial = z.output<typeof simulationMaterialSchema>;

/** Where a zone or quantity names its material. */
export const materialChoiceFields = {
  /** Nobody sees it; where it is in effect the reference to it says that it is missing. */
  customMaterial: absentable(customMaterialSchema).catch(undefined),
  materialPropertiesOverrides: absentable(materialOverridesSchema),
};
