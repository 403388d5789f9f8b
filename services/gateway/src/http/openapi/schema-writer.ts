import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** A JSON Schema (2020-12) as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Writes zod schemas as JSON Schema; those with an id become components, written once and referred to. */
export class SchemaWriter {
  readonly components: Record<string, JsonSchema> = {};

  /** @param io - `input`: what a client may send; `output`: what it receives */
  write(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $defs = {}, ...root } = z.toJSONSchema(schema, { io, override }) as Record<string, unknown>;
    delete root.$schema;
    for (const [id, definition] of Object.entries($defs as Record<string, JsonSchema>)) this.#keep(id, definition);
    return toComponentRefs(root) as JsonSchema;
  }

  #keep(id: string, definition: JsonSchema): void {
    const written = toComponentRefs(definition) as JsonSchema;
    const known = this.components[id];
    if (known !== undefined && !isDeepStrictEqual(known, written)) throw new Error(`two schemas are called ${id}`);
    this.components[id] = written;
  }
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

/** What zod leaves out: defaults of values that are transformed. And what it should: see below. */
const override: Override = ({ zodSchema, jsonSchema }) => {
  const { def } = zodSchema._zod;
  if (def.type === 'default' && def.innerType._zod.def.type === 'pipe' && !Array.isArray(def.defaultValue)) {
    jsonSchema.default = def.defaultValue;
  }
  if (isOpen(zodSchema)) delete jsonSchema.additionalProperties;
};

/**
 * Answers may gain members without notice, so the document does not close objects; only what was declared strict is
 * closed. Tests close the rest themselves: what the document does not name must not be sent.
 */
function isOpen({ _zod: { def } }: z.core.$ZodTypes): boolean {
  return def.type === 'object' && def.catchall === undefined;
}

function toComponentRefs(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toComponentRefs);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [
        key,
        key === '$ref' && typeof value === 'string'
          ? value.replace('#/$defs/', '#/components/schemas/')
          : toComponentRefs(value),
      ]),
  );
}
