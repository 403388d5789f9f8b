import { z } from 'zod';

/** The shape of a {@link TransportProblem}, before any question of meaning. */
const finite = z.number();
const positive = z.number().positive();
const notNegative = z.number().nonnegative();
const index = z.number().int().nonnegative();
const count = z.number().int().positive();
const vector = z.tuple([finite, finite, finite]).readonly();
const sizes = z.tuple([positive, positive, positive]).readonly();

const spotSchema = z.object({
  energyMev: positive,
  energySpreadMev: notNegative,
  xCm: finite,
  yCm: finite,
  sigmaXCm: notNegative,
  sigmaYCm: notNegative,
  divergenceXMrad: notNegative,
  divergenceYMrad: notNegative,
  weight: notNegative,
});

const beamSchema = z.object({
  particle: z.object({ name: z.string(), z: z.number().int(), a: z.number().int() }),
  positionCm: vector,
  direction: vector,
  energyMev: positive,
  energySpreadMev: notNegative,
  energyLowCutoffMev: finite,
  energyHighCutoffMev: finite,
  shape: z.discriminatedUnion('type', [
    z.object({ type: z.literal('gaussian'), sigmaXCm: notNegative, sigmaYCm: notNegative }),
    z.object({ type: z.literal('flat-square'), halfXCm: notNegative, halfYCm: notNegative }),
    z.object({ type: z.literal('flat-circular'), radiusCm: notNegative }),
  ]),
  divergence: z.object({ xMrad: notNegative, yMrad: notNegative, distanceToFocalCm: finite }),
  spots: z.array(spotSchema).nonempty().readonly().optional(),
  sad: z.object({ xCm: positive, yCm: positive }).optional(),
});

const stoppingPowerTable = z.enum(['icru49', 'icru90']);

const physicsSchema = z.object({
  energyLossFraction: positive.max(0.5),
  straggling: z.enum(['none', 'gaussian', 'vavilov']),
  scattering: z.enum(['none', 'gaussian', 'moliere']),
  nuclearReactions: z.boolean(),
  neutrons: z.boolean().optional(),
  stoppingPowerTable,
});

const materialSchema = z.object({
  name: z.string(),
  icru: z.number().int(),
  densityGcm3: positive.optional(),
  ionisationEv: positive.optional(),
  stoppingPowerTable: stoppingPowerTable.optional(),
});

const figureSchema = z.object({
  name: z.string(),
  shape: z.discriminatedUnion('type', [
    z.object({ type: z.literal('box'), sizeCm: sizes }),
    z.object({ type: z.literal('cylinder'), innerRadiusCm: notNegative, radiusCm: positive, depthCm: positive }),
    z.object({ type: z.literal('sphere'), radiusCm: positive }),
  ]),
  centerCm: vector,
  rotationDeg: vector,
});

const zoneSchema = z.object({
  name: z.string(),
  material: index,
  terms: z
    .array(
      z
        .array(
          z.object({ mode: z.enum(['union', 'intersection', 'subtraction', 'reverse-subtraction']), figure: index }),
        )
        .nonempty()
        .readonly(),
    )
    .readonly(),
});

const detectorSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('mesh'),
    name: z.string(),
    centerCm: vector,
    sizeCm: sizes,
    segments: z.tuple([count, count, count]).readonly(),
  }),
  z.object({
    type: z.literal('cylinder'),
    name: z.string(),
    centerCm: vector,
    innerRadiusCm: notNegative,
    radiusCm: positive,
    depthCm: positive,
    radialSegments: count,
    zSegments: count,
  }),
  z.object({ type: z.literal('zone'), name: z.string(), zone: index }),
  z.object({ type: z.literal('all'), name: z.string() }),
]);

const quantitySchema = z.object({
  name: z.string(),
  keyword: z.string(),
  modifiers: z
    .array(z.object({ type: z.string(), lower: finite, upper: finite, bins: count, log: z.boolean() }))
    .readonly(),
  filter: z
    .object({
      name: z.string(),
      rules: z
        .array(
          z.object({
            keyword: z.enum(['A', 'Z', 'E', 'ENUC', 'EAMU', 'AMASS', 'AMU', 'GEN', 'ID', 'NPRIM']),
            operator: z.enum(['==', '!=', '<', '<=', '>', '>=']),
            value: finite,
          }),
        )
        .readonly(),
      kinds: z
        .array(z.object({ z: z.number().int(), a: z.number().int() }))
        .nonempty()
        .readonly()
        .optional(),
    })
    .optional(),
  material: index.optional(),
  scale: finite,
});

export const problemSchema = z.object({
  version: z.literal(1),
  title: z.string(),
  beam: beamSchema,
  physics: physicsSchema,
  materials: z.array(materialSchema).readonly(),
  figures: z.array(figureSchema).readonly(),
  zones: z.array(zoneSchema).readonly(),
  world: z.object({ figure: index, material: index }),
  detectors: z.array(detectorSchema).readonly(),
  outputs: z
    .array(z.object({ name: z.string().min(1), detector: index, quantities: z.array(quantitySchema).readonly() }))
    .readonly(),
});

/** The shape of an {@link EngineTask}. */
export const taskSchema = z.object({
  primaries: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  firstHistory: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER),
  seed: z
    .string()
    .regex(/^\d{1,20}$/, 'not an unsigned integer in decimal')
    .refine((seed) => BigInt(seed) < 2n ** 64n, 'not below 2^64'),
});
