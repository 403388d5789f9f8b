import { z } from 'zod';
import { energyField, nameField, uuidField } from './fields.js';
import { particleSchema } from './particle.js';

export const FILTER_KEYWORDS = ['A', 'AMASS', 'AMU', 'Z', 'E', 'ENUC', 'EAMU', 'ID', 'GEN', 'NPRIM'] as const;
export const FILTER_OPERATORS = ['==', '!=', '<', '<=', '>', '>='] as const;
/** What the filters of Geant4 projects select by. */
export const GEANT4_FILTER_TYPES = [
  'charged',
  'neutral',
  'particle',
  'kineticEnergy',
  'particleWithKineticEnergy',
] as const;
/** MeV in one unit of a Geant4 project. */
export const MEV_PER_UNIT = { meV: 1e-9, eV: 1e-6, keV: 1e-3, MeV: 1, GeV: 1e3, TeV: 1e6 } as const;

export const energyUnitNames = [
  'meV',
  'eV',
  'keV',
  'MeV',
  'GeV',
  'TeV',
] as const satisfies readonly (keyof typeof MEV_PER_UNIT)[];

const identity = { uuid: uuidField, name: nameField };

const ruleSchema = z.looseObject({
  keyword: z.enum(FILTER_KEYWORDS),
  operator: z.enum(FILTER_OPERATORS),
  value: z.number(),
});

/**
 * A filter in one of the editor's three shapes, told apart by content: `custom` (all rules must hold), `particle`,
 * `geant4`. `variant` is added here.
 */
export const filterSchema = z.preprocess(
  withVariant,
  z.discriminatedUnion('variant', [
    z.looseObject({ ...identity, variant: z.literal('custom'), rules: z.array(ruleSchema) }),
    z.looseObject({ ...identity, variant: z.literal('particle'), particle: particleSchema }),
    z.looseObject({
      ...identity,
      variant: z.literal('geant4'),
      filterType: z.enum(GEANT4_FILTER_TYPES),
      data: z
        .looseObject({
          particleTypes: z.array(particleSchema).default([]),
          kineticEnergyLow: energyField.optional(),
          kineticEnergyHigh: energyField.optional(),
          kineticEnergyUnit: z.enum(energyUnitNames).default('MeV'),
        })
        .default({ particleTypes: [], kineticEnergyUnit: 'MeV' }),
    }),
  ]),
);

export type Filter = z.output<typeof filterSchema>;

function withVariant(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const variant = 'rules' in json ? 'custom' : 'particle' in json ? 'particle' : 'geant4';
  return { ...json, variant };
}
