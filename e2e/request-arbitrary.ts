import fc from 'fast-check';

/** A JSON Schema as OpenAPI writes it, as far as values are made from it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: object;
}

/** An OpenAPI document as far as requests are made from it. */
export interface RequestDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A request that may be right, and in most cases is not. */
export interface GeneratedRequest {
  readonly method: string;
  readonly path: string;
  /** Whose cookies: nobody's, rubbish, or those of a session. */
  readonly cookie: 'none' | 'rubbish' | 'session';
  readonly query: readonly [string, string][];
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or something like it. */
  readonly body: string | undefined;
}

/** Values that let a request get further than the first check, by the name of the field. */
export type GoodValues = Readonly<Record<string, readonly unknown[]>>;

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u2066',
  '😀'.repeat(40),
  '../../../etc/passwd',
  "' OR '1'='1",
  '"; DROP TABLE simulations; --',
  '$(reboot)',
  '`id`',
  '%00%ff%2e%2e',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '\r\nX-Evil: 1',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '1e999',
  '0x10',
  '9'.repeat(400),
  'x'.repeat(300),
  'é'.repeat(5_000),
];

const HUGE_NUMBERS = [0, -0, -1, 0.5, 1e-320, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 2 ** 63, 2 ** 64, 1e308, -1e308];

const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

const nested = fc
  .tuple(fc.integer({ min: 2, max: 3_000 }), fc.boolean())
  .map(([depth, isList]) => new Nested(depth, isList));

/** Written as text, because a value nested so deep cannot be stringified. */
class Nested {
  constructor(
    readonly depth: number,
    readonly isList: boolean,
  ) {}

  text(): string {
    return this.isList
      ? `${'['.repeat(this.depth)}${']'.repeat(this.depth)}`
      : `${'{"a":'.repeat(this.depth)}1${'}'.repeat(this.depth)}`;
  }
}

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: hostileText, weight: 4 },
  { arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { a: 1 }), weight: 3 },
  { arbitrary: fc.constantFrom(...HUGE_NUMBERS), weight: 3 },
  { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 2 },
  { arbitrary: nested, weight: 1 },
  { arbitrary: fc.constant('x'.repeat(70_000)), weight: 1 }, // more than a body may have
  { arbitrary: fc.constantFrom({ $ne: null }, { $gt: '' }, { toString: 1 }, { length: 1e9 }), weight: 1 },
);

/** JSON text of a value that may hold something nested deep. */
function toText(value: unknown): string {
  const deep: string[] = [];
  const marked = JSON.stringify(value, (_key, member: unknown) => {
    if (!(member instanceof Nested)) return member;
    deep.push(member.text());
    return `\u0001${deep.length - 1}\u0001`;
  });
  return marked.replace(/"\\u0001(\d+)\\u0001"/g, (_all, index: string) => deep[Number(index)] ?? 'null');
}

/** Makes requests to every operation of a document. */
export class RequestArbitrary {
  constructor(
    private readonly document: RequestDocument,
    private readonly good: GoodValues,
  ) {}

  /** Requests to one operation, valid or with one or more members that are not. */
  operation(
    method: string,
    path: string,
    cookies: readonly GeneratedRequest['cookie'][],
  ): fc.Arbitrary<GeneratedRequest> {
    const { parameters = [], requestBody } = this.document.paths[path]?.[method.toLowerCase()] ?? {};
    const schema = requestBody?.content['application/json']?.schema;
    const inQuery = parameters.filter((parameter) => parameter.in === 'query');
    const inHeader = parameters.filter((parameter) => parameter.in === 'header');
    return fc.record({
      method: fc.constant(method),
      path: fc.constant(path),
      cookie: fc.constantFrom(...cookies),
      query: this.#query(inQuery.map(({ name, schema }) => [name, schema] as const)),
      headers: this.#headers(inHeader.map(({ name }) => name)),
      body: schema === undefined ? fc.constant(undefined) : this.#body(schema),
    });
  }

  #query(members: readonly (readonly [string, Schema])[]): fc.Arbitrary<[string, string][]> {
    const given = members.map(([name, schema]) => {
      const right = this.#value(schema, name).map(String);
      const value = fc.oneof({ arbitrary: right, weight: 3 }, { arbitrary: hostileText.map(short), weight: 1 });
      const times = fc.oneof({ arbitrary: fc.constant(1), weight: 8 }, fc.constantFrom(0, 2, 3));
      return times.chain((count) =>
        fc.array(
          value.map((text) => [name, text] as [string, string]),
          exactly(count),
        ),
      );
    });
    const extra = fc.array(fc.tuple(hostileText.map(short), hostileText.map(short)), { maxLength: 1 });
    return fc.tuple(...given, extra).map((lists) => lists.flat());
  }

  #headers(names: readonly string[]): fc.Arbitrary<Record<string, string>> {
    const value = fc.oneof(fc.constantFrom('', '1', '"x"', '*', 'a b', 'x'.repeat(300)), fc.uuid());
    return fc.subarray([...names]).chain((given) => fc.record(Object.fromEntries(given.map((name) => [name, value]))));
  }

  #body(schema: Schema): fc.Arbitrary<string> {
    const right = this.#value(schema, '');
    const wrong = right.chain((value) => spoil(value));
    const duplicated = right.map((value) =>
      toText(value).replace(/^\{/, '{"sim_type":null,"job_state":7,"x":1,"x":2,'),
    );
    const text = fc.oneof(
      { arbitrary: right.map(toText), weight: 3 },
      { arbitrary: wrong.map(toText), weight: 9 },
      { arbitrary: hostileValue.map(toText), weight: 1 },
      { arbitrary: duplicated, weight: 1 },
      {
        arbitrary: fc.constantFrom('', '{', '[]', '{"a":1e400}', '{"a":"\\ud800"}', '{"a":1,}', '\ufeff{}'),
        weight: 1,
      },
    );
    return text;
  }

  /** A value that the schema allows, as far as it tells. */
  #value(schema: Schema, name: string): fc.Arbitrary<unknown> {
    const good = this.good[name];
    if (good !== undefined) return fc.constantFrom(...good);
    if (schema.$ref !== undefined) {
      const id = schema.$ref.split('/').at(-1) ?? '';
      return this.#value(this.document.components.schemas[id] ?? {}, name);
    }
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    if (schema.properties !== undefined) return this.#object(schema.properties);
    if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => this.#value(one, name)));
    switch (schema.type) {
      case 'integer':
      case 'number':
        return fc.integer({
          min: Math.max(schema.minimum ?? 0, -1_000),
          max: Math.min(schema.maximum ?? 1_000, 1_000),
        });
      case 'boolean':
        return fc.boolean();
      case 'array':
        return fc.array(this.#value(schema.items ?? {}, name), { maxLength: 3 });
      case 'object':
        return fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ maxLength: 20 }), { maxKeys: 3 });
      default:
        return fc.stringMatching(/^[A-Za-z0-9 ._-]{1,16}$/);
    }
  }

  #object(properties: Readonly<Record<string, Schema>>): fc.Arbitrary<Record<string, unknown>> {
    const members = Object.entries(properties).map(([name, schema]) => [name, this.#value(schema, name)] as const);
    return fc.record(Object.fromEntries(members));
  }
}

const exactly = (count: number) => ({ minLength: count, maxLength: count });

/** Request lines are bounded: longer ones are a test of their own. */
const short = (text: string) => text.slice(0, 2_000);

/** Takes a member away somewhere in a value, or puts something hostile in its place. */
function spoil(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return hostileValue;
  const members = Object.entries(value as Record<string, unknown>);
  if (members.length === 0) return hostileValue;
  return fc.constantFrom(...members).chain(([name, member]) => {
    const isDeep = typeof member === 'object' && member !== null && Object.keys(member).length > 0;
    const replaced = hostileValue.map((hostile): unknown => ({ ...value, [name]: hostile }));
    const removed = fc.constant(Object.fromEntries(members.filter(([other]) => other !== name)) as unknown);
    const added = hostileValue.map((hostile): unknown => ({ ...value, [`${name}2`]: hostile }));
    const deeper = isDeep ? [{ arbitrary: spoilMember(value, name, member), weight: 8 }] : [];
    return fc.oneof({ arbitrary: replaced, weight: 4 }, { arbitrary: removed, weight: 2 }, added, ...deeper);
  });
}

function spoilMember(value: object, name: string, member: unknown): fc.Arbitrary<unknown> {
  if (!Array.isArray(member)) return spoil(member).map((spoilt): unknown => ({ ...value, [name]: spoilt }));
  return fc
    .integer({ min: 0, max: member.length - 1 })
    .chain((index) => spoil(member[index]).map((spoilt) => member.with(index, spoilt) as unknown[]))
    .map((list): unknown => ({ ...value, [name]: list }));
}
