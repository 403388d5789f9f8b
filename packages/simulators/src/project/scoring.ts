import { z } from 'zod';
import { absentable, energyField, factorField, labels, nameField, switchField, uuidField } from './fields.js';
import { energyUnitNames, filterSchema } from './filter.js';
import { AXIS_BINS_MAX, FACTOR_MAX } from './limits.js';
import { materialChoiceFields } from './material.js';

const DIFFERENTIAL_AXES_MAX = 2;

/** The one quantity whose axis the editor writes as a histogram: fluence, differential in kinetic energy. */
export const SPECTRUM = 'KineticEnergySpectrum';
/** Quantities that count something per primary: only they can be scaled to a number of primaries or by a factor. */
export const SCALABLE_KEYWORDS: readonly string[] = [
  'Dose',
  'DoseGy',
  'DDD',
  'Energy',
  'Fluence',
  '1MeVNEq',
  'Alanine',
  'DoseEqv',
  'EqvDose',
  'NEqvDose',
  'NKERMA',
];
/** Quantities that may refer to a medium other than the local one. */
export const KEYWORDS_WITH_MEDIUM: readonly string[] = ['Dose', 'DDD', 'DoseGy', 'dLET', 'dQ', 'dQeff', 'tLET'];
/** Quantities that depend on the medium of the neutron kerma. */
export const KEYWORDS_WITH_KERMA_MEDIUM: readonly string[] = ['NEqvDose', 'NKERMA'];

const binsField = z.int().min(1).max(AXIS_BINS_MAX);

/** A differential axis. */
export const modifierSchema = z
  .looseObject({
    diffType: nameField,
    lowerLimit: z.number().meta(labels('From', 'that of diffType')),
    upperLimit: z.number().meta(labels('To', 'that of diffType')),
    binsNumber: binsField.meta(labels('Bins')),
    isLog: switchField.meta(labels('Logarithmic bins')),
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
  histogramXBinScheme: nameField.optional(),
  /** What is put on the axis instead of the energy: `none`, `log`, `log10` or `exp` of it. */
  histogramXScale: nameField.optional(),
};

/** What is scored. */
export const quantitySchema = z.looseObject({
  uuid: uuidField,
  name: nameField,
  /** `Dose`, `Fluence`, `dLET` …: which of them a simulator scores is its own matter. */
  keyword: nameField.meta(labels('What is scored', undefined, 'Dose, Fluence, dLET …')),
  modifiers: z.array(modifierSchema).max(DIFFERENTIAL_AXES_MAX).default([]),
  filter: absentable(uuidField),
  /** Name of the medium of neutron kerma quantities. */
  medium: absentable(nameField),
  /** Number of primaries that the result is scaled to. */
  primaries: absentable(z.number().positive().max(FACTOR_MAX)),
  rescale: absentable(factorField),
  /** No form has it. */
  offset: absentable(z.number()).catch(undefined),
  /** Medium that dose and LET refer to. */
  materialUuid: absentable(uuidField),
  ...materialChoiceFields,
  ...histogramFields,
});

export type Quantity = z.output<typeof quantitySchema>;

/** An estimator: quantities scored in one detector or zone. */
export const outputSchema = z.looseObject({
  uuid: uuidField,
  name: nameField.default(''),
  quantities: z.array(quantitySchema).default([]),
  detectorUuid: absentable(uuidField),
  zoneUuid: absentable(uuidField),
  scoringType: absentable(z.enum(['DETECTOR', 'ZONE'])),
});

export type Output = z.output<typeof outputSchema>;

export const scoringManagerSchema = z.looseObject({
  outputs: z.array(outputSchema).default([]),
  filters: z.array(filterSchema).default([]),
});
