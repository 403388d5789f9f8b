import { z } from 'zod';
import {
  coordinateField,
  labels,
  lengthField,
  nameField,
  optionalLengthField,
  uuidField,
  vectorField,
} from './fields.js';
import { type SimulationMaterial, simulationMaterialSchema } from './material.js';

/** Rotation about fixed X, then Y, then Z, degrees. */
const rotationField = vectorField.default([0, 0, 0]).meta(labels('Rotation about x, then y, then z', '°'));
/** Of what no form turns: spheres and the world. */
const unseenRotationField = rotationField.catch([0, 0, 0]);

function geometrySchema<Length extends z.ZodType<number>, Rotation extends z.ZodType<[number, number, number]>>(
  length: Length,
  rotation: Rotation,
) {
  /** Centre, cm. */
  const placement = { position: vectorField.default([0, 0, 0]).meta(labels('Centre', 'cm')), rotation };
  const sized = (title: string) => length.meta(labels(title, 'cm'));
  return z.discriminatedUnion('geometryType', [
    z.looseObject({
      ...placement,
      geometryType: z.literal('BoxGeometry'),
      parameters: z.looseObject({
        width: sized('Width, along x'),
        height: sized('Height, along y'),
        depth: sized('Depth, along z'),
      }),
    }),
    z.looseObject({
      ...placement,
      geometryType: z.literal('HollowCylinderGeometry'),
      /** The inner radius is 0 or smaller than the radius. */
      parameters: z.looseObject({
        innerRadius: optionalLengthField.default(0).meta(labels('Inner radius', 'cm', '0, or smaller than the radius')),
        radius: sized('Radius'),
        depth: sized('Length, along z'),
      }),
    }),
    z.looseObject({
      ...placement,
      rotation: unseenRotationField,
      geometryType: z.literal('SphereGeometry'),
      parameters: z.looseObject({ radius: sized('Radius') }),
    }),
  ]);
}

/** Box (width x, height y, depth z), cylinder (axis z before rotation) or sphere; full lengths, cm. */
export const figureGeometrySchema = geometrySchema(lengthField, rotationField);

/** The world's: a size of zero stands in projects that do not use it. */
export const worldGeometrySchema = geometrySchema(optionalLengthField, unseenRotationField);

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
  name: nameField.default(''),
  geometryData: figureGeometrySchema,
  get children() {
    return z.array(figureSchema).default([]);
  },
  simulationMaterial: simulationMaterialSchema.optional(),
});

/** The world's margin, which the editor has written as one number and as three; no form has it. */
export const marginField = z
  .union([coordinateField, z.looseObject({ x: coordinateField, y: coordinateField, z: coordinateField })])
  .optional()
  .catch(undefined);
