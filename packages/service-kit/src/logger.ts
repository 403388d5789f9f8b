import { pino } from 'pino';
import { currentContext } from './context.js';

/** Structured logger: fixed message text, facts in fields. Request id and caller of the current call are added. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** A logger that adds `fields` to every line. */
  child(fields: object): Logger;
}

/** Keys whose values never reach a log line, wherever they stand in the first three levels of the fields. */
const SECRET_KEYS = [
  'password', 'newPassword', 'currentPassword', 'token', 'accessToken', 'refreshToken', 'ssoToken', 'updateKey',
  'update_key', 'privateKey', 'certificate', 'authorization', 'cookie', 'secret', 'databaseUrl', 'callerToken',
]; // biome-ignore format: a list

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
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => {
      const context = currentContext();
      return context === undefined ? {} : { request_id: context.requestId };
    },
    redact: {
      paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: '[redacted]',
    },
  };
  return write === undefined ? pino(options) : pino(options, { write });
}

/** Swallows everything; for tests. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
};
