import type { z } from 'zod';
import type { AccessAction } from '../access.js';
import type { Route, RouteResponse } from '../route.js';
import { problemResponse } from '../schemas/message.js';
import type { Auth } from '../session/auth-hook.js';
import { tokenScopeOf } from '../session/token-scopes.js';
import { commonErrors, statusesOf } from './common-errors.js';
import type { Example, Examples } from './examples.js';
import { INFO_DESCRIPTION, TAGS, tagOf } from './introduction.js';
import { type JsonSchema, SchemaWriter } from './schema-writer.js';

/** The OpenAPI 3.1 document of a set of routes, as plain data. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly [member: string]: unknown };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>>; readonly [kind: string]: unknown };
  readonly [member: string]: unknown;
}

/** One method of a path. */
export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, ResponseObject>>;
  readonly [member: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly [member: string]: unknown;
}

export interface MediaType {
  readonly schema?: JsonSchema;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly [member: string]: unknown;
}

const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'access_token',
    description: 'Set by `POST /auth/login` and `POST /auth/sso`, renewed by `GET /auth/refresh`. `HttpOnly`.',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token for scripts, `tly_…`, made by `POST /auth/tokens`; looked at instead of cookies.',
  },
  refresh: {
    type: 'apiKey',
    in: 'cookie',
    name: 'refresh_token',
    description: 'Set together with the session cookie; used by `GET /auth/refresh` and to log out only.',
  },
};

/** How a route is protected; `update_key` is a member of the body, for which OpenAPI has no scheme. */
const SECURITY = {
  none: [],
  session: [{ session: [] }],
  sso: [{ session: [] }],
  operator: [{ session: [] }],
  teacher: [{ session: [] }],
  refresh: [{ refresh: [] }],
  either: [{ session: [] }, { refresh: [] }],
  update_key: [],
} as const satisfies Record<Auth, readonly object[]>;

const AUTH_NOTES: Partial<Record<Auth, string>> = {
  sso: 'For users who logged in through single sign-on.',
  operator: 'For operators. What one does is written into the trail before it is done.',
  teacher:
    'For teachers about their own classes, and for operators about all. What one does is written into the trail before it is done.',
  update_key: 'For workers: authenticated by the member `update_key` of the body, without a session.',
};

/** Who may use a route on what belongs to another user. */
const ACCESS_NOTES: Record<AccessAction, string> = {
  read: "Also on another user's that is of a group of yours, or shared with you.",
  change: "Also on another user's that is of a group in which you are member or manager.",
  delete: "Also on another user's that is of a group that you manage.",
  share: 'For the owner alone.',
};

/** Describes the routes: the same schemas that requests are checked by, and recorded examples. */
export function createDocument(routes: readonly Route[], version: string, examples: Examples): OpenApiDocument {
  const schemas = new SchemaWriter();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] ?? {}, {
      [route.method.toLowerCase()]: describeRoute(route, schemas, examples[`${route.method} ${route.path}`] ?? []),
    });
  }
  const used = new Set(routes.map(({ path }) => tagOf(path)));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tally',
      version,
      description: INFO_DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...used].map((name) => ({ name, ...(TAGS[name] === undefined ? {} : { description: TAGS[name] }) })),
    paths,
    components: { schemas: schemas.components, headers: COMMON_HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}

function describeRoute(route: Route, schemas: SchemaWriter, examples: readonly Example[]): Operation {
  const scope = tokenScopeOf(route);
  const scopeNote = scope && `API tokens need the scope \`${scope}\`.`;
  const accessNote = route.access && ACCESS_NOTES[route.access.action];
  const description = [route.description, AUTH_NOTES[route.auth], scopeNote, accessNote]
    .filter((text) => text !== undefined)
    .join('\n\n');
  const success = examples.find(({ status }) => status < 300);
  const parameters = [
    ...parametersOf('query', route.query, schemas, success?.query),
    ...parametersOf('header', route.headers, schemas, success?.headers),
    ...(route.responses[304] === undefined ? [] : [IF_NONE_MATCH]),
    ...(route.access?.action === 'read' && route.requestClass !== 'events' ? [SHARE_LINK] : []),
  ];
  return {
    operationId: operationIdOf(route),
    tags: [tagOf(route.path)],
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    security: [...SECURITY[route.auth], ...(scope === undefined ? [] : [{ token: [] }])],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: bodyOf(route.body, schemas, examples) }),
    ...(route.access === undefined ? {} : { 'x-access': route.access.action }),
    responses: Object.fromEntries(
      statusesOf(route).map((status) => [String(status), responseOf(route, status, schemas, examples)]),
    ),
  };
}

const SHARE_LINK: Parameter = {
  name: 'X-Share-Link',
  in: 'header',
  required: false,
  description:
    'Token of a share link, which opens what it was made for, also without an account where the deployment allows it',
  schema: { type: 'string' },
};

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'An `ETag` that the client has: if it is still the current one the answer is 304, without a body',
  schema: { type: 'string' },
};

/** `GET /jobs/direct` → `getJobsDirect`. */
export function operationIdOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return `${method.toLowerCase()}${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') || 'Root'}`;
}

/** One parameter for each member of an object schema. */
function parametersOf(
  place: Parameter['in'],
  schema: z.ZodType | undefined,
  schemas: SchemaWriter,
  values: Readonly<Record<string, string>> = {},
): Parameter[] {
  if (schema === undefined) return [];
  const { properties, required } = schemas.write(schema, 'input') as {
    properties: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...member }]) => ({
    name,
    in: place,
    required: required?.includes(name) ?? false,
    ...(description === undefined ? {} : { description }),
    schema: member,
    ...(values[name] === undefined ? {} : { example: member.type === 'integer' ? Number(values[name]) : values[name] }),
  }));
}

function bodyOf(schema: z.ZodType, schemas: SchemaWriter, examples: readonly Example[]) {
  const content = mediaType(
    schemas.write(schema, 'input'),
    examples.filter(({ status, body }) => status < 300 && body !== undefined).map((e) => [e.summary, e.body]),
  );
  return { required: true, content: { 'application/json': content } };
}

function responseOf(route: Route, status: number, schemas: SchemaWriter, examples: readonly Example[]): ResponseObject {
  const declared: Partial<RouteResponse> = route.responses[status] ?? {};
  const reasons = commonErrors(route).filter((error) => error.status === status);
  const lines = [
    ...(declared.description === undefined ? [] : [declared.description]),
    ...reasons.map(({ reason, when }) => `\`${reason}\`: ${when}`),
  ];
  const schema = status >= 400 ? (declared.schema ?? problemResponse) : declared.schema;
  const answers = examples.filter((example) => example.status === status && example.answer !== undefined);
  return {
    description: lines.length === 1 ? (lines[0] ?? '') : lines.map((line) => `- ${line}`).join('\n'),
    headers: headersOf(status, declared),
    ...(schema === undefined
      ? {}
      : {
          content: {
            [declared.contentType ?? 'application/json']: mediaType(
              schemas.write(schema, 'output'),
              answers.map(({ summary, answer }) => [summary, answer]),
            ),
            ...Object.fromEntries(
              Object.entries(declared.alternatives ?? {}).map(([type, what]) => [type, bytesOf(what)]),
            ),
          },
        }),
  };
}

/** A body of bytes (OpenAPI 3.1: no schema says what they are). */
const bytesOf = (description: string): MediaType => ({ schema: { description } });

function mediaType(schema: JsonSchema, examples: readonly (readonly [string, unknown])[]): MediaType {
  if (examples.length === 0) return { schema };
  const named = examples.map(([summary, value], index) => [`example-${index + 1}`, { summary, value }] as const);
  return { schema, examples: Object.fromEntries(named) };
}

const header = (description: string, required = false) => ({ description, required, schema: { type: 'string' } });

const COMMON_HEADERS = {
  'X-Request-ID': header("The client's, or a new one; every log line of the request has it", true),
  'Retry-After': header('How long to wait before the next try, seconds'),
};

const headerRef = (name: keyof typeof COMMON_HEADERS) => ({ [name]: { $ref: `#/components/headers/${name}` } });

function headersOf(status: number, { headers = {} }: Partial<RouteResponse>) {
  return {
    ...headerRef('X-Request-ID'),
    ...(status === 429 || status === 503 ? headerRef('Retry-After') : {}),
    ...Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, header(text, true)])),
  };
}
