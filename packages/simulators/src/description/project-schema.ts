import { z } from 'zod';
import { projectSchema } from '../project/project.js';

/**
 * JSON Schema (draft 2020-12) of a project in the newest form of the editor's format, made from the schemas that projects are read by:
 * types, titles, units (`x-unit`; `energyUnit` is the member beside it that names the unit) and limits. Every project in this form that can be read is valid by it. References
 * between parts, and rules that bind two members, are checked by the reader alone. Older forms are read, too, but are not described.
 */
export function projectJsonSchema(): Readonly<Record<string, unknown>> {
  return {
    title: 'Project of a particle-transport simulation',
    description: 'Format 0.13 of the editor. Lengths are full lengths in cm. Members that are not listed are kept.',
    ...z.toJSONSchema(projectSchema, { io: 'input', unrepresentable: 'any' }),
  };
}
