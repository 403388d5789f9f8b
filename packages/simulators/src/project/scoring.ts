import { z } from 'zod';
import { absentable, energyField, factorField, nameField, switchField, uuidField } from './fields.js';
import { energyUnitNames, filterSchema } from './filter.js';
import { AXIS_BINS_MAX, FACTOR_MAX } from './limits.js';
import { materialChoiceFields } from './material.js';

const DIFFERENTIAL_AXES_MAX = 2;

const binsField = z.int().min(1).max(AXIS_BINS_MAX);

/** A differential axis. */
export const modifierSchema = z
  .looseObject({
    diffType: nameField,
    lowerLimit: z.number(),
    upperLimit: z.number(),
    binsNumber: binsField,
    isLog: switchField,
  })
  .refine((axis) => axis.lowerLimit < axis.upperLimit, {
    path: ['upperLimit'],
    message: 'must be larger than lowerLimit',
  })
  .refine((axis) => !axis.isLog || axis.lowerLimit > 0, {
    path: ['lowerLimit'],
    message: 'must be larger than 0 on a logarithmic axis',
  });

export type Modifier = z.output<typeof modifierSchema>;

/** Histogram of a Geant4 spectrum; the editor writes the fields for every quantity of a Geant4 project. */
const histogramFields = {
  histogramNBins: binsField.optional(),
  histogramMin: energyField.optional(),
  histogramMax: energyField.optional(),
  histogramUnit: z.enum(energyUnitNames).optional(),
  histogramXScale: nameField.optional(),
  histogramXBinScheme: nameField.optional(),
};

/** Switches of old files: set to false, the value that stands beside them is off. */
const TOGGLED_KEYS = { hasFilter: 'filter', hasRescale: 'rescale', hasPrimaries: 'primaries', hasMedium: 'medium' };

/** What is scored. */
export const quantitySchema = z.preprocess(
  dropSwitchedOff,
  z.looseObject({
    uuid: uuidField,
    name: nameField,
    /** `Dose`, `Fluence`, `dLET` …: which of them a simulator scores is its own matter. */
    keyword: nameField,
    modifiers: z.array(modifierSchema).max(DIFFERENTIAL_AXES_MAX).default([]),
    filter: absentable(uuidField),
    /** Name of the medium of neutron kerma quantities. */
    medium: absentable(nameField),
    /** Number of primaries that the result is scaled to. */
    primaries: absentable(z.number().positive().max(FACTOR_MAX)),
    rescale: absentable(factorField),
    offset: absentable(z.number()),
    /** Medium that dose and LET refer to. */
    materialUuid: absentable(uuidField),
    ...materialChoiceFields,
    ...histogramFields,
  }),
);

export type Quantity = z.output<typeof quantitySchema>;

/** An estimator: quantities scored in one detector or zone. */
export const outputSchema = z.looseObject({
  uuid: uuidField,
  name: nameField,
  quantities: z.preprocess(listOrActive, z.array(quantitySchema)),
  trace: switchField,
  detectorUuid: absentable(uuidField),
  zoneUuid: absentable(uuidField),
  scoringType: absentable(z.enum(['DETECTOR', 'ZONE'])),
});

export type Output = z.output<typeof outputSchema>;

export const scoringManagerSchema = z.looseObject({
  outputs: z.array(outputSchema).default([]),
  filters: z.array(filterSchema).default([]),
});

/** Very old files keep the list of quantities in `active`. */
function listOrActive(json: unknown): unknown {
  return isObject(json) ? (json.active ?? []) : json;
}

function dropSwitchedOff(json: unknown): unknown {
  if (!isObject(json)) return json;
  const off = Object.entries(TOGGLED_KEYS).filter(([toggle]) => json[toggle] === false);
  return off.length === 0 ? json : { ...json, ...Object.fromEntries(off.map(([, key]) => [key, undefined])) };
}

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
