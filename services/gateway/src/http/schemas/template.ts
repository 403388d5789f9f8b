import { z } from 'zod';
import { plainText } from './parameters.js';

/** Name of a template: of its folder, of its address and of what users type. */
export const templateName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be small letters, digits and hyphens, at most 64')
  .meta({ description: 'Name of a template, as GET /templates lists it', examples: ['water-tank'] });

const words = (lengthMax: number) => plainText.min(1).max(lengthMax);
const PARAMETERS_MAX = 20;
const TARGETS_MAX = 50;

const targetShape = {
  pointer: z
    .string()
    .regex(/^(\/[^/]*)+$/, 'must be a JSON pointer, such as /beam/energy')
    .max(256)
    .meta({ description: 'JSON pointer (RFC 6901) to a number of project.json' }),
  scale: z.number().optional().meta({ description: '1 unless given' }),
  offset: z.number().optional().meta({ description: '0 unless given' }),
};

const parameterShape = {
  name: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, 'must be small letters, digits and underscores, at most 32'),
  label: words(80),
  unit: plainText.max(20).meta({ description: 'Empty: a number without one' }),
  min: z.number(),
  max: z.number(),
  step: z.number().positive().meta({ description: 'Of a slider; values between the steps are allowed' }),
  default: z.number(),
};
const TARGETS =
  'What moves with the value: there it is value · scale + offset. Terms of several parameters for one place are added';

const readingShape = {
  estimator: words(256),
  page: words(256).meta({ description: 'Name of the page' }),
  name: words(64).meta({ description: 'Of the reading, as results have it', examples: ['R80'] }),
  value: z.number(),
  tolerance: z.number().positive(),
  unit: plainText.max(20),
  coordinate: z
    .boolean()
    .optional()
    .meta({ description: 'True: the value is the coordinate of the place, not its depth behind the first matter' }),
};
const expectedWords = words(1_000).meta({ description: 'What the results show with the defaults' });

const textShape = {
  title: words(120),
  teaches: words(600).meta({ description: 'Two sentences: what a student learns' }),
};

/** A file has no member that is not known: a misspelt one would do nothing. */
const parameterInFile = z
  .strictObject({
    ...parameterShape,
    targets: z.array(z.strictObject(targetShape)).min(1).max(TARGETS_MAX).meta({ description: TARGETS }),
  })
  .refine(({ min, max }) => min < max, { path: ['max'], message: 'must be larger than min' })
  .refine(({ min, max, default: value }) => value >= min && value <= max, {
    path: ['default'],
    message: 'must lie between min and max',
  });

/** The file template.json beside a project.json; published as /schemas/template.json. */
export const templateFile = z
  .strictObject({
    $schema: z.string().optional(),
    ...textShape,
    parameters: z.array(parameterInFile).max(PARAMETERS_MAX),
    expected: z.strictObject({ words: expectedWords, reading: z.strictObject(readingShape).optional() }),
  })
  .refine(({ parameters }) => new Set(parameters.map(({ name }) => name)).size === parameters.length, {
    path: ['parameters'],
    message: 'must have different names',
  })
  .meta({ title: 'Tally template', description: 'What may be changed in the project.json beside it' });

export type TemplateFile = z.output<typeof templateFile>;

const template = z.object({
  name: templateName,
  ...textShape,
  parameters: z.array(
    z.object({ ...parameterShape, targets: z.array(z.object(targetShape)).meta({ description: TARGETS }) }),
  ),
  expected: z.object({ words: expectedWords, reading: z.object(readingShape).optional() }),
  picture: z.string().nullable().meta({ description: 'Path of its picture (PNG) on this service; null: it has none' }),
});

export const templatesResponse = z.object({ message: z.string(), templates: z.array(template) });

export const templateResponse = template.extend({
  message: z.string(),
  project: z.record(z.string(), z.unknown()).meta({ description: 'With the defaults' }),
});
