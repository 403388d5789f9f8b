import { type ServiceError as GrpcError, Metadata, type StatusObject, status } from '@grpc/grpc-js';
import { rpc } from '@tally/contracts';
import { kitError, ServiceError, type StatusName } from '../errors.js';
import { boundError } from './bound-error.js';

const DETAILS_KEY = 'grpc-status-details-bin';
const TYPE_PREFIX = 'type.googleapis.com/google.rpc.';

/** ServiceError → a message of code, text, and ErrorInfo, BadRequest and RetryInfo as details. */
function toStatusMessage(err: ServiceError): rpc.Status {
  const detail = (name: string, bytes: Uint8Array) => ({ typeUrl: TYPE_PREFIX + name, value: Buffer.from(bytes) });
  const { reason, domain } = err;
  const details = [detail('ErrorInfo', rpc.ErrorInfo.encode({ reason, domain, metadata: {} }).finish())];
  if (err.fields.length > 0) {
    const fieldViolations = err.fields.map(({ field, message }) => ({ field, description: message }));
    details.push(detail('BadRequest', rpc.BadRequest.encode({ fieldViolations }).finish()));
  }
  if (err.retryAfterMs !== undefined) {
    const retryDelay = { seconds: BigInt(Math.floor(err.retryAfterMs / 1000)), nanos: (err.retryAfterMs % 1000) * 1e6 };
    details.push(detail('RetryInfo', rpc.RetryInfo.encode({ retryDelay }).finish()));
  }
  return { code: status[err.status], message: err.message, details };
}

/** ServiceError → what a call ends with: its status message travels in a trailer, and is bounded for it (see {@link boundError}). */
export function toGrpcStatus(err: ServiceError): StatusObject {
  const bounded = boundError(err);
  const metadata = new Metadata();
  metadata.set(DETAILS_KEY, Buffer.from(rpc.Status.encode(toStatusMessage(bounded)).finish()));
  return { code: status[err.status], details: bounded.message, metadata };
}

/** What the wire carried → the ServiceError that the server threw, or the kit's for errors without a reason. */
export function fromGrpcError(err: GrpcError): ServiceError {
  const raw = err.metadata?.get(DETAILS_KEY)[0];
  const known = Buffer.isBuffer(raw) ? errorOf(raw, err) : undefined;
  if (known !== undefined) return known;
  if (isLostSession(err)) return kitError('SERVICE_UNAVAILABLE', { cause: err });
  switch (err.code) {
    case status.UNAVAILABLE:
      return kitError('SERVICE_UNAVAILABLE', { cause: err });
    case status.DEADLINE_EXCEEDED:
      return kitError('DEADLINE_TOO_SHORT', { cause: err });
    case status.CANCELLED:
      return kitError('CANCELLED', { cause: err });
    default:
      return remoteError(err.code, err);
  }
}

/** The connection ended for a fault of another call on it: grpc-js has words of its own for a stream that its session took along. */
function isLostSession({ code, details }: GrpcError): boolean {
  return code === status.INTERNAL && details.startsWith('Received RST_STREAM with code');
}

function remoteError(code: number, cause: unknown): ServiceError {
  return new ServiceError('kit', 'REMOTE', statusName(code), kitError.reasons.REMOTE.message, { cause });
}

function statusName(code: number): StatusName {
  const name = status[code];
  return name === undefined || name === 'OK' ? 'UNKNOWN' : (name as StatusName);
}

/** Undefined: not one of ours, it has no reason. */
function errorOf(message: Buffer, cause: unknown): ServiceError | undefined {
  try {
    const { code, message: text, details } = rpc.Status.decode(message);
    const find = (name: string) => details.find((detail) => detail.typeUrl === TYPE_PREFIX + name)?.value;
    const info = find('ErrorInfo');
    if (info === undefined) return undefined;
    const { domain, reason } = rpc.ErrorInfo.decode(info);
    const bad = find('BadRequest');
    const retry = find('RetryInfo');
    const delay = retry === undefined ? undefined : rpc.RetryInfo.decode(retry).retryDelay;
    const fields =
      bad === undefined
        ? []
        : rpc.BadRequest.decode(bad).fieldViolations.map(({ field, description }) => ({ field, message: description }));
    return new ServiceError(domain, reason, statusName(code), text, {
      fields,
      ...(delay && { retryAfterMs: Number(delay.seconds) * 1000 + Math.round(delay.nanos / 1e6) }),
      cause,
    });
  } catch {
    return undefined;
  }
}
