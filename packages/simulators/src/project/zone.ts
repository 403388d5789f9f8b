import { z } from 'zod';
import { labels, nameField, switchField, uuidField } from './fields.js';
import { type FigureGeometry, marginField, worldGeometrySchema } from './figure.js';
import { materialChoiceFields } from './material.js';

/** How a figure joins what stands left of it in its term. */
export const BOOLEAN_MODES = ['union', 'intersection', 'subtraction', 'reverse-subtraction'] as const;

/** One figure of a term. */
const operationSchema = z.looseObject({
  mode: z.enum(BOOLEAN_MODES).meta(labels('How the figure joins')),
  objectUuid: uuidField.meta(labels('Figure, by its uuid')),
});

/** Evaluated left to right, so its first figure can only be added. */
const termSchema = z.array(operationSchema).refine((term) => term.length === 0 || term[0]?.mode === 'union', {
  path: [0, 'mode'],
  message: 'must be "union", as the first of its term',
});

/** A union of boolean terms over figures, filled with one material. */
export const zoneSchema = z.looseObject({
  uuid: uuidField,
  name: nameField.default(''),
  materialUuid: uuidField,
  ...materialChoiceFields,
  unionOperations: z
    .array(termSchema)
    .default([])
    .meta(
      labels(
        'Terms',
        undefined,
        'A union of terms, each evaluated left to right; the first figure of a term has the mode union',
      ),
    ),
});

export type Zone = z.output<typeof zoneSchema>;

/** Everything inside its figure and in no zone; absorbs whatever leaves it. */
export const worldZoneSchema = z.looseObject({
  uuid: uuidField.default('world'),
  name: nameField.default('World'),
  materialUuid: uuidField,
  ...materialChoiceFields,
  /** The form has none for the world. */
  materialPropertiesOverrides: materialChoiceFields.materialPropertiesOverrides.catch(undefined),
  autoCalculate: switchField.catch(false),
  marginMultiplier: marginField,
  geometryData: worldGeometrySchema.optional(),
});

export type WorldZone = z.output<typeof worldZoneSchema>;

/** The geometry that the project states for its world; `undefined` where it leaves it to be calculated from all figures. */
export function findStatedGeometry({ geometryData }: WorldZone): FigureGeometry | undefined {
  if (geometryData === undefined) return undefined;
  return sizesOf(geometryData).every((size) => size > 0) ? geometryData : undefined;
}

function sizesOf(geometry: FigureGeometry): readonly number[] {
  switch (geometry.geometryType) {
    case 'BoxGeometry':
      return [geometry.parameters.width, geometry.parameters.height, geometry.parameters.depth];
    case 'HollowCylinderGeometry':
      return [geometry.parameters.radius, geometry.parameters.depth];
    case 'SphereGeometry':
      return [geometry.parameters.radius];
  }
}
