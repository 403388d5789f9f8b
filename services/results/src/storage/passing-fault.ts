import { kitError } from '@tally/service-kit';

/** Not reachable, no connection or transaction in time, write conflict: error reference of Prisma 7, Node's sockets. */
const PASSING_CODES: ReadonlySet<unknown> = new Set([
  'P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037',
  'DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections', 'TransactionWriteConflict',
  'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN',
]); // biome-ignore format: a list
/** PostgreSQL's classes 08 connection, 40 rollback, 53 resources, 57 operator intervention. */
const PASSING_SQLSTATE = /^(?:08|40|53|57)[0-9A-Z]{3}$/;
/** pg 8 gives these no code. */
const PASSING_TEXT = /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;
/** Prisma wraps its adapter's error, which wraps pg's. */
const LAYERS_MAX = 6;

/** Whether the same statement may succeed later. */
export function isPassingFault(err: unknown, layer = 0): boolean {
  if (typeof err !== 'object' || err === null || layer > LAYERS_MAX) return false;
  return Object.entries(Object.getOwnPropertyDescriptors(err)).some(
    ([key, { value }]: [string, PropertyDescriptor]) => {
      if (['code', 'originalCode', 'kind'].includes(key)) return isPassingCode(value);
      if (['message', 'originalMessage'].includes(key)) return typeof value === 'string' && PASSING_TEXT.test(value);
      return ['cause', 'meta', 'driverAdapterError'].includes(key) && isPassingFault(value, layer + 1);
    },
  );
}

function isPassingCode(code: unknown): boolean {
  return PASSING_CODES.has(code) || (typeof code === 'string' && PASSING_SQLSTATE.test(code));
}

/** Runs statements; faults that may pass become UNAVAILABLE: the caller may try again. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw isPassingFault(cause) ? kitError('SERVICE_UNAVAILABLE', { cause }) : cause;
  }
}
