import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** One configuration key. The text of the environment is parsed by `type`. */
export interface ConfigKey<T extends z.ZodType = z.ZodType> {
  readonly type: T;
  /** Text used when the variable is not set; absent: required. */
  readonly default?: string;
  /** What it is, with its unit. */
  readonly description: string;
  /** Kept out of every message; readable from `<NAME>_FILE`. */
  readonly secret?: boolean;
}

/** Keys of a service by property name: `leaseMs` of prefix JOBS is read from JOBS_LEASE_MS. */
export type ConfigSchema = Readonly<Record<string, ConfigKey>>;
export type ConfigOf<S extends ConfigSchema> = { readonly [K in keyof S]: z.output<S[K]['type']> };

/** Everything wrong with an environment, in one error. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly faults: readonly string[]) {
    super(`configuration is wrong:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

export function envName(prefix: string, key: string): string {
  return `${prefix}_${key.replace(/[A-Z]|(?<=[a-z])\d+/g, (part) => `_${part}`).toUpperCase()}`;
}

function readKey(name: string, key: ConfigKey, env: NodeJS.ProcessEnv, faults: string[]): unknown {
  let text = env[name];
  const file = key.secret ? env[`${name}_FILE`] : undefined;
  if (text !== undefined && file !== undefined) faults.push(`${name} and ${name}_FILE are both set`);
  if (text === undefined && file !== undefined) {
    try {
      text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    } catch {
      faults.push(`${name}_FILE cannot be read`);
      return undefined;
    }
  }
  text ??= key.default;
  if (text === undefined) {
    faults.push(`${name} is required: ${key.description}`);
    return undefined;
  }
  const parsed = key.type.safeParse(text);
  if (parsed.success) return parsed.data;
  const why = parsed.error.issues.map((issue) => issue.message).join('; ');
  const shown = JSON.stringify(text.replace(/\/\/[^/]*@/g, '//…@')); // not what a URL has of credentials by mistake
  faults.push(key.secret ? `${name} is malformed` : `${name}=${shown}: ${why}`);
  return undefined;
}

/**
 * Reads a service's configuration from the environment. Unknown variables with the service's prefix are faults, and
 * all faults are reported at once; values of secrets never are.
 * @throws ConfigError
 */
export function loadConfig<S extends ConfigSchema>(
  prefix: string,
  schema: S,
  env: NodeJS.ProcessEnv = process.env,
): ConfigOf<S> {
  const faults: string[] = [];
  const known = new Set<string>();
  const values: Record<string, unknown> = {};
  for (const [property, key] of Object.entries(schema)) {
    const name = envName(prefix, property);
    known.add(name);
    if (key.secret) known.add(`${name}_FILE`);
    values[property] = readKey(name, key, env, faults);
  }
  for (const name of Object.keys(env)) {
    if (name.startsWith(`${prefix}_`) && !known.has(name)) faults.push(`${name} is not a known setting`);
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(values) as ConfigOf<S>;
}

/** The settings as a Markdown table, for docs/settings.md. */
export function configTable(prefix: string, schema: ConfigSchema): string {
  const rows = Object.entries(schema).map(([property, key]) => {
    const shown = key.default === undefined ? '(required)' : key.default === '' ? '(empty)' : `\`${key.default}\``;
    return `| \`${envName(prefix, property)}\` | ${shown} | ${key.description}${key.secret ? ' (secret)' : ''} |`;
  });
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The one in use, and during a rotation the one before or after it. */
const TOKENS_PER_CALLER_MAX = 2;

/** Parsers of setting texts. */
export const setting = {
  text: z.string(),
  nonEmpty: z.string().min(1),
  integer: (min: number, max: number) =>
    z
      .string()
      .regex(/^-?\d+$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.number().int().min(min).max(max)),
  /** JSON of this shape; each fault names its place. */
  json: <T extends z.ZodType>(type: T) =>
    z.string().transform((text, ctx): z.output<T> => {
      const wrong = (message: string): never => {
        ctx.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return wrong('is not JSON');
      }
      const parsed = type.safeParse(value);
      if (parsed.success) return parsed.data;
      return wrong(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; '));
    }),
  boolean: z.enum(['true', 'false']).transform((text) => text === 'true'),
  /** `host:port`. */
  address: z.string().regex(/^[^\s]+:\d{1,5}$/, 'must be host:port'),
  /** Comma-separated, blanks trimmed, empty text is an empty list. */
  list: z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
  /** Comma-separated `name:sha256-hex` pairs; a name may stand twice, while its token is being replaced. */
  callers: z.string().transform((text, ctx) => {
    const callers = new Map<string, readonly Buffer[]>();
    for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
      const match = /^\s*([a-z-]+):([0-9a-f]{64})\s*$/.exec(pair);
      if (match?.[1] === undefined || match[2] === undefined) {
        ctx.addIssue({ code: 'custom', message: 'must be name:sha256-hex pairs, comma-separated' });
        return z.NEVER;
      }
      const hashes = [...(callers.get(match[1]) ?? []), Buffer.from(match[2], 'hex')];
      if (hashes.length > TOKENS_PER_CALLER_MAX) {
        ctx.addIssue({ code: 'custom', message: `must name a caller at most ${TOKENS_PER_CALLER_MAX} times` });
        return z.NEVER;
      }
      callers.set(match[1], hashes);
    }
    return callers;
  }),
} as const;

/** Keys that every service has. */
export const commonKeys = {
  logLevel: {
    type: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
    description: 'Least level of log lines',
  },
  graceMs: {
    type: setting.integer(0, 600_000),
    default: '10000',
    description: 'How long a stop waits for running work, milliseconds',
  },
  metricsAddress: {
    type: z.union([z.literal(''), setting.address]),
    default: '',
    description: 'host:port of the Prometheus endpoint; empty: none',
  },
} as const satisfies ConfigSchema;

/** Keys of a service that answers gRPC calls. */
export const serverKeys = {
  listenAddress: { type: setting.address, default: '127.0.0.1:0', description: 'host:port of the gRPC server' },
  callers: {
    type: setting.callers,
    default: '',
    description:
      'Services that may call: name:SHA-256 of its token in hex, comma-separated; a name may stand twice while its token is replaced',
  },
} as const satisfies ConfigSchema;

/** Key of a service that calls others: its own token. */
export const callerKeys = {
  callerToken: {
    type: z.string().min(32),
    description: 'Token this service shows to the services that it calls, at least 32 characters',
    secret: true,
  },
  callTimeoutMs: {
    type: setting.integer(200, 600_000),
    default: '10000',
    description: 'Time limit of a call to another service, milliseconds',
  },
} as const satisfies ConfigSchema;

/** Key of a service that owns a database. */
export const databaseKeys = {
  databaseUrl: { type: z.string().min(1), description: 'postgresql:// URL of its own database', secret: true },
  databaseConnectionsMax: {
    type: setting.integer(1, 200),
    default: '10',
    description: 'Largest number of database connections',
  },
} as const satisfies ConfigSchema;
