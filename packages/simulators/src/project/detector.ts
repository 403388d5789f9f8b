import { z } from 'zod';
import { labels, lengthField, nameField, optionalLengthField, uuidField, vectorField } from './fields.js';
import { AXIS_BINS_MAX } from './limits.js';

/** Defaults of sizes and bins are the editor's. */
const sizeField = (title: string) => lengthField.default(1).meta(labels(title, 'cm'));
const segmentsField = (title: string, usual: number) =>
  z.int().min(1).max(AXIS_BINS_MAX).default(usual).meta(labels(title));
/** Centre, cm; the rotation is stored by the editor, shown by no form and used by no simulator. */
const placement = {
  position: vectorField.default([0, 0, 0]).meta(labels('Centre', 'cm')),
  rotation: vectorField.default([0, 0, 0]).catch([0, 0, 0]),
};

/** Only the parameters of its own type are read: old files carry those of all types. */
export const detectorGeometrySchema = z.discriminatedUnion('geometryType', [
  z.looseObject({
    ...placement,
    geometryType: z.literal('Mesh'),
    parameters: z.looseObject({
      width: sizeField('Width, along x'),
      height: sizeField('Height, along y'),
      depth: sizeField('Depth, along z'),
      xSegments: segmentsField('Bins along x', 1),
      ySegments: segmentsField('Bins along y', 1),
      zSegments: segmentsField('Bins along z', 100),
    }),
  }),
  z.looseObject({
    ...placement,
    geometryType: z.literal('Cyl'),
    parameters: z
      .looseObject({
        innerRadius: optionalLengthField.default(0).meta(labels('Inner radius', 'cm', 'Smaller than the radius')),
        radius: sizeField('Radius'),
        depth: sizeField('Length, along z'),
        radialSegments: segmentsField('Bins along the radius', 1),
        zSegments: segmentsField('Bins along z', 100),
      })
      .refine((cylinder) => cylinder.innerRadius < cylinder.radius, {
        path: ['innerRadius'],
        message: 'must be smaller than radius',
      }),
  }),
  z.looseObject({
    ...placement,
    geometryType: z.literal('Zone'),
    /** Of no zone until its user has chosen one. */
    parameters: z.looseObject({ zoneUuid: uuidField.catch('') }),
  }),
  z.looseObject({ ...placement, geometryType: z.literal('All') }),
]);

export type DetectorGeometry = z.output<typeof detectorGeometrySchema>;

/** Where something is scored. */
export const detectorSchema = z.looseObject({
  uuid: uuidField,
  name: nameField.default(''),
  geometryData: detectorGeometrySchema,
});

export type Detector = z.output<typeof detectorSchema>;

/** Bins of a detector, differential axes not counted. */
export function countDetectorBins(geometry: DetectorGeometry): number {
  switch (geometry.geometryType) {
    case 'Mesh':
      return geometry.parameters.xSegments * geometry.parameters.ySegments * geometry.parameters.zSegments;
    case 'Cyl':
      return geometry.parameters.radialSegments * geometry.parameters.zSegments;
    case 'Zone':
    case 'All':
      return 1;
  }
}
