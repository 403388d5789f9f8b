import { z } from 'zod';
import type { ConversionItem } from '../conversion-error.js';
import { describeIssue } from './describe-issue.js';
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

/** In one of the editor's three shapes, told apart by content: `custom` (all rules must hold), `particle`, `geant4`. */
const readableFilterSchema = z.preprocess(
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

export type Filter = z.output<typeof readableFilterSchema>;

/** A filter of which the user has not said everything: it stands in the way of the quantities that use it. */
export interface UnfinishedFilter {
  readonly variant: 'unfinished';
  readonly uuid: string;
  readonly name: string;
  /** Its path is that within the filter. */
  readonly fault: ConversionItem;
}

/** A filter, `variant` added. One that is not finished, and that nothing uses, is nobody's business. */
export const filterSchema = z
  .looseObject({ uuid: uuidField, name: nameField.default('') })
  .transform((json): Filter | UnfinishedFilter => {
    const read = readableFilterSchema.safeParse(json);
    if (read.success) return read.data;
    const [fault = { path: '', message: 'cannot be read' }] = read.error.issues.map((issue) =>
      describeIssue(issue, json),
    );
    return { variant: 'unfinished', uuid: json.uuid, name: json.name, fault };
  });

function withVariant(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const variant = 'rules' in json ? 'custom' : 'particle' in json ? 'particle' : 'geant4';
  return { ...json, variant };
}
