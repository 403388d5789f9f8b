import { type DestinationStream, destination, pino, stdSerializers } from 'pino';
import { currentContext } from './context.js';
import { traceIdOf } from './tracing/traceparent.js';

/** Structured logger: fixed message text, facts in fields. Request id, trace id and ids of what the current call is about are added. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Whether lines of this level are written: what goes into others need not be made. */
  isLevelEnabled(level: 'debug' | 'info' | 'warn' | 'error'): boolean;
  /** A logger that adds `fields` to every line. */
  child(fields: object): Logger;
}

/** Keys whose values never reach a log line, wherever they stand in the first levels of the fields. */
// biome-ignore format: a list
const SECRET_KEYS = new Set([
  'password', 'newPassword', 'currentPassword', 'token', 'accessToken', 'refreshToken', 'ssoToken', 'updateKey',
  'update_key', 'privateKey', 'certificate', 'authorization', 'cookie', 'secret', 'databaseUrl', 'callerToken',
]);
const LEVELS_MAX = 3;

/**
 * The fields without secrets; the same object when there are none. Pino's own `redact` with wildcards costs more than the rest
 * of the line; most lines are flat and pay for a look at each key only.
 */
function redact(fields: object, levels = LEVELS_MAX): object {
  let clean: Record<string, unknown> | unknown[] | undefined;
  for (const [key, value] of Object.entries(fields) as [string, unknown][]) {
    let kept = value;
    if (SECRET_KEYS.has(key)) kept = '[redacted]';
    else if (levels > 1 && typeof value === 'object' && value !== null && !(value instanceof Error))
      kept = redact(value, levels - 1);
    if (kept === value) continue;
    clean ??= Array.isArray(fields) ? [...(fields as unknown[])] : { ...fields };
    (clean as Record<string, unknown>)[key] = kept;
  }
  return clean ?? fields;
}

export interface LoggerOptions {
  readonly service: string;
  readonly level?: string;
  /** Where lines go; standard output unless set. */
  readonly write?: (line: string) => void;
}

/** JSON lines by pino; errors are written with their cause chain and stack. */
export function createLogger({ service, level = 'info', write }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: object) => redact(fields) as Record<string, unknown>,
    },
    serializers: { err: (err: Error) => redact(stdSerializers.err(err)) },
    mixin: () => {
      const context = currentContext();
      if (context === undefined) return {};
      const { requestId, traceparent, logFields } = context;
      const trace = traceparent === undefined ? {} : { trace_id: traceIdOf(traceparent) };
      return { request_id: requestId, ...trace, ...logFields };
    },
  };
  return pino(options, write === undefined ? standardOutput() : { write });
}

/** Standard output, where the lines of one turn of the event loop are one write: a write costs ten times a line. */
function standardOutput(): DestinationStream {
  const stream = destination({ dest: 1, sync: true });
  let lines = '';
  const flush = () => {
    if (lines !== '') stream.write(lines);
    lines = '';
  };
  process.once('exit', flush);
  return {
    write: (line) => {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}

/** Swallows everything; for tests. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  isLevelEnabled: () => false,
  child: () => silentLogger,
};
