import { kitError } from '../errors.js';

/** Prisma: not reachable, pool or transaction not had in time, write conflict (error reference of Prisma 7). */
const PRISMA_CODES = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037'];
/** @prisma/driver-adapter-utils 7.10, MappedError. */
const ADAPTER_KINDS = [
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
];
const SOCKET_CODES = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'];
const PASSING_WORDS = new Set([...PRISMA_CODES, ...ADAPTER_KINDS, ...SOCKET_CODES]);
/** PostgreSQL's classes 08 connection, 40 rollback, 53 resources, 57 operator intervention, and 55P03 lock not available. */
const PASSING_SQLSTATE = /^(?:(?:08|40|53|57)[0-9A-Z]{3}|55P03)$/;
/** pg 8 gives these no code; Prisma may put a headline before the text and drop the cause. */
const PASSING_TEXT =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/m;
const LAYERS_MAX = 6;

/** Whether the same call may succeed later; looks through the layers of Prisma, its adapter and pg. */
export function isPassingFault(err: unknown, layer = 0): boolean {
  if (typeof err !== 'object' || err === null || layer > LAYERS_MAX) return false;
  const { code, originalCode, kind, message, originalMessage, cause, meta, driverAdapterError } = err as Readonly<
    Record<string, unknown>
  >;
  const hasWord = [code, originalCode, kind].some(
    (word) => typeof word === 'string' && (PASSING_WORDS.has(word) || PASSING_SQLSTATE.test(word)),
  );
  const hasText = [message, originalMessage].some((text) => typeof text === 'string' && PASSING_TEXT.test(text));
  return hasWord || hasText || [cause, meta, driverAdapterError].some((inner) => isPassingFault(inner, layer + 1));
}

/** Runs statements; faults that may pass become SERVICE_UNAVAILABLE: the caller may try again. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw isPassingFault(cause) ? kitError('SERVICE_UNAVAILABLE', { cause }) : cause;
  }
}
