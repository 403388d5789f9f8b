import { z } from 'zod';
import { absentable, nameField, switchField, uuidField } from './fields.js';

/** Upper bound that no matter reaches, g/cm³: catches a density given in kg/m³. */
const DENSITY_GCM3_MAX = 100;

const densityField = z.number().nonnegative().max(DENSITY_GCM3_MAX);
/** Mean excitation energy, eV. */
const ionisationField = z.number().positive();

const properties = {
  name: nameField,
  /** ICRU id 1–278, 906, 1000 (vacuum) or 0 (black hole); which of them a simulator knows is its own matter. */
  icru: z.int().nonnegative(),
  density: densityField,
  customStoppingPower: switchField,
  averageIonisationPotential: absentable(ionisationField),
};

/** A material of the project's list; both spellings of its identifier are accepted and read into `sanitizedName`. */
export const materialSchema = z
  .looseObject({
    ...properties,
    uuid: uuidField,
    sanitizedName: nameField.optional(),
    sanitized_name: nameField.optional(),
  })
  .transform((material) => ({ ...material, sanitizedName: material.sanitizedName ?? material.sanitized_name }));

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
  density: absentable(densityField),
  customStoppingPower: absentable(z.boolean()),
  averageIonisationPotential: absentable(ionisationField),
});

export type MaterialOverrides = z.output<typeof materialOverridesSchema>;

/** The material of a figure in a Geant4 project, written in snake or camel case. */
export const simulationMaterialSchema = z
  .looseObject({
    ...properties,
    geant4_name: nameField.optional(),
    geant4Name: nameField.optional(),
  })
  .transform((material) => ({ ...material, geant4Name: material.geant4Name ?? material.geant4_name }));

export type SimulationMaterial = z.output<typeof simulationMaterialSchema>;

/** Where a zone or quantity names its material. */
export const materialChoiceFields = {
  customMaterial: absentable(customMaterialSchema),
  materialPropertiesOverrides: absentable(materialOverridesSchema),
};
