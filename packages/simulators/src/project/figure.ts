import { z } from 'zod';
import { coordinateField, lengthField, nameField, optionalLengthField, uuidField, vectorField } from './fields.js';
import { type SimulationMaterial, simulationMaterialSchema } from './material.js';

/** The three names under which the editor has written a cylinder, one of them misspelt. */
const CYLINDER_NAMES = ['HollowCylinderGeometry', 'CylinderGeometry', 'CyliderGeometry'] as const;

/** Centre, cm, and rotation about fixed X, then Y, then Z, degrees. */
const placement = { position: vectorField, rotation: vectorField.default([0, 0, 0]) };

function geometrySchema<Length extends z.ZodType<number>>(length: Length) {
  return z.discriminatedUnion('geometryType', [
    z.looseObject({
      ...placement,
      geometryType: z.literal('BoxGeometry'),
      parameters: z.looseObject({ width: length, height: length, depth: length }),
    }),
    z.looseObject({
      ...placement,
      geometryType: z.enum(CYLINDER_NAMES).transform(() => 'HollowCylinderGeometry' as const),
      parameters: z
        .looseObject({ innerRadius: optionalLengthField.default(0), radius: length, depth: length })
        .refine((cylinder) => cylinder.innerRadius <= (cylinder.radius as number), {
          path: ['innerRadius'],
          message: 'must not be larger than radius',
        }),
    }),
    z.looseObject({
      ...placement,
      geometryType: z.literal('SphereGeometry'),
      parameters: z.looseObject({ radius: length }),
    }),
  ]);
}

/** Box (width x, height y, depth z), cylinder (axis z before rotation) or sphere; full lengths, cm. */
export const figureGeometrySchema = geometrySchema(lengthField);

/** The world's: a size of zero stands in projects that do not use it. */
export const worldGeometrySchema = geometrySchema(optionalLengthField);

export type FigureGeometry = z.output<typeof figureGeometrySchema>;

/** A body; `children` (Geant4 projects only) are placed relative to it. */
export interface Figure {
  readonly uuid: string;
  readonly name: string;
  readonly geometryData: FigureGeometry;
  readonly children: readonly Figure[];
  readonly simulationMaterial?: SimulationMaterial | undefined;
}

export const figureSchema: z.ZodType<Figure> = z.looseObject({
  uuid: uuidField,
  name: nameField,
  geometryData: figureGeometrySchema,
  get children() {
    return z.array(figureSchema).default([]);
  },
  simulationMaterial: simulationMaterialSchema.optional(),
});

/** Kept for the world's margin, which the editor has written as one number and as three. */
export const marginSchema = z.union([
  coordinateField,
  z.looseObject({ x: coordinateField, y: coordinateField, z: coordinateField }),
]);
