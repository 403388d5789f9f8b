import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** An OpenAPI 3.1 document, as far as the checker reads it. */
export interface CheckedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, CheckedOperation>>>>;
  readonly components: { readonly schemas: object };
}

interface CheckedOperation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: object;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema?: object }>>;

/** A request by its operation. */
export interface CheckedRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An answer, its body parsed; a body that is text stays text. */
export interface CheckedAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly contentType?: string;
  readonly body?: unknown;
}

/**
 * Compares requests and answers with an OpenAPI document. Answers are read strictly: a member that the document does
 * not name is a fault, although the document leaves room for later ones.
 */
export class OpenApiChecker {
  readonly #ajv = addAllFormats(new Ajv2020({ allErrors: true, strict: false, validateFormats: true }));
  readonly #compiled = new Map<object, ValidateFunction>();
  readonly #closed: CheckedDocument;

  constructor(private readonly document: CheckedDocument) {
    this.#closed = closeObjects(document) as CheckedDocument;
    this.#ajv.addSchema({ $id: 'closed', components: this.#closed.components });
    this.#ajv.addSchema({ $id: 'open', components: document.components });
  }

  /** Faults of an answer; an empty list when the document allows it. */
  checkAnswer(answer: CheckedAnswer): string[] {
    const { method, path, status, contentType, body } = answer;
    if (method === 'OPTIONS') return [];
    const operation = this.#operation(this.#closed, method, path);
    if (operation === undefined) return this.#checkOutside(answer);
    const name = `${method} ${path}: ${status}`;
    const response = operation.responses[String(status)];
    if (response === undefined) return [`${name} is not in the document`];
    const given = contentType?.split(';')[0];
    const types = Object.entries(response.content ?? {});
    const [type, media] = types.find(([known]) => known === given) ?? types[0] ?? [];
    if (media === undefined) return body === undefined ? [] : [`${name} has a body`];
    if (method === 'HEAD') return [];
    if (given !== undefined && given !== type) return [`${name} is ${contentType}, not ${type}`];
    if (media.schema === undefined) return [];
    return this.#validate('closed', media.schema, body).map((fault) => `${name} ${fault}`);
  }

  /** Faults of a request; an empty list when the document allows it. */
  checkRequest({ method, path, query = {}, headers = {}, body }: CheckedRequest): string[] {
    const operation = this.#operation(this.document, method, path);
    if (operation === undefined) return [`${method} ${path} is not in the document`];
    const faults = (operation.parameters ?? []).flatMap(({ name, in: place, required, schema }) => {
      const value = (place === 'query' ? query : headers)[name];
      if (value === undefined) return required ? [`${name} is missing`] : [];
      const isNumber = 'type' in schema && schema.type === 'integer';
      return this.#validate('open', schema, isNumber ? Number(value) : value).map((fault) => `${name} ${fault}`);
    });
    const schema = operation.requestBody?.content['application/json']?.schema;
    return schema === undefined ? faults : [...faults, ...this.#validate('open', schema, body)];
  }

  #operation({ paths }: CheckedDocument, method: string, path: string): CheckedOperation | undefined {
    return paths[path]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  }

  /** A wrong method, an unknown path, or one of a frontend that is down: a problem all the same. */
  #checkOutside({ method, path, status, body }: CheckedAnswer): string[] {
    const expected = this.document.paths[path] === undefined ? [404, 502] : [405];
    if (!expected.includes(status)) return [`${method} ${path}: ${status} instead of ${expected.join(' or ')}`];
    return method === 'HEAD' ? [] : this.#validate('closed', { $ref: '#/components/schemas/Problem' }, body);
  }

  #validate(root: 'closed' | 'open', schema: object, value: unknown): string[] {
    let validate = this.#compiled.get(schema);
    if (validate === undefined) {
      validate = this.#ajv.compile(withRoot(schema, root) as object);
      this.#compiled.set(schema, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath || 'body', message, isDeepStrictEqual(params, {}) ? '' : JSON.stringify(params)].join(' '),
    );
  }
}

/** What is wrong with a value by a JSON Schema (draft 2020-12), in words; empty: nothing. */
export function checkBySchema(schema: object): (value: unknown) => readonly string[] {
  const validate = addAllFormats(new Ajv2020({ allErrors: true, strict: false })).compile(schema);
  return (value) =>
    validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function addAllFormats(ajv: Ajv2020): Ajv2020 {
  addFormats.default(ajv);
  return ajv;
}

/** Local references → references into the schema that holds the components. */
function withRoot(node: unknown, root: string): unknown {
  return mapObjects(node, (object) =>
    typeof object.$ref === 'string' && object.$ref.startsWith('#/')
      ? { ...object, $ref: `${root}${object.$ref}` }
      : object,
  );
}

/** Every object schema that does not say whether it takes more members takes none. */
function closeObjects(node: unknown): unknown {
  return mapObjects(node, (object) =>
    object.type === 'object' && 'properties' in object && !('additionalProperties' in object)
      ? { ...object, additionalProperties: false }
      : object,
  );
}

function mapObjects(node: unknown, map: (object: Record<string, unknown>) => Record<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((member) => mapObjects(member, map));
  if (typeof node !== 'object' || node === null) return node;
  return map(Object.fromEntries(Object.entries(node).map(([key, value]) => [key, mapObjects(value, map)])));
}
