import { type ServiceError as GrpcError, Metadata, type StatusObject, status } from '@grpc/grpc-js';
import { rpc } from '@tally/contracts';
import { kitError, ServiceError, type StatusName } from '../errors.js';

const DETAILS_KEY = 'grpc-status-details-bin';
const TYPE_PREFIX = 'type.googleapis.com/google.rpc.';

/** ServiceError → what the wire carries: code, text, and ErrorInfo, BadRequest and RetryInfo as details. */
export function toGrpcStatus(err: ServiceError): StatusObject {
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
  const code = status[err.status];
  const metadata = new Metadata();
  metadata.set(DETAILS_KEY, Buffer.from(rpc.Status.encode({ code, message: err.message, details }).finish()));
  return { code, details: err.message, metadata };
}

/** What the wire carried → the ServiceError that the server threw, or the kit's for errors without a reason. */
export function fromGrpcError(err: GrpcError): ServiceError {
  const raw = err.metadata?.get(DETAILS_KEY)[0];
  if (Buffer.isBuffer(raw)) {
    const decoded = decodeDetails(raw);
    if (decoded !== undefined) {
      const { info, fields, retryAfterMs } = decoded;
      return new ServiceError(info.domain, info.reason, statusName(err.code), err.details, {
        fields,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        cause: err,
      });
    }
  }
  switch (err.code) {
    case status.UNAVAILABLE:
      return kitError('SERVICE_UNAVAILABLE', { cause: err });
    case status.DEADLINE_EXCEEDED:
      return kitError('DEADLINE_TOO_SHORT', { cause: err });
    case status.CANCELLED:
      return kitError('CANCELLED', { cause: err });
    default:
      return new ServiceError('kit', 'REMOTE', statusName(err.code), kitError.reasons.REMOTE.message, { cause: err });
  }
}

function statusName(code: number): StatusName {
  const name = status[code];
  return name === undefined || name === 'OK' ? 'UNKNOWN' : (name as StatusName);
}

function decodeDetails(raw: Buffer) {
  try {
    const decoded = rpc.Status.decode(raw);
    const find = (name: string) => decoded.details.find((detail) => detail.typeUrl === TYPE_PREFIX + name)?.value;
    const info = find('ErrorInfo');
    if (info === undefined) return undefined;
    const bad = find('BadRequest');
    const retry = find('RetryInfo');
    const delay = retry === undefined ? undefined : rpc.RetryInfo.decode(retry).retryDelay;
    return {
      info: rpc.ErrorInfo.decode(info),
      fields:
        bad === undefined
          ? []
          : rpc.BadRequest.decode(bad).fieldViolations.map(({ field, description }) => ({
              field,
              message: description,
            })),
      retryAfterMs: delay === undefined ? undefined : Number(delay.seconds) * 1000 + Math.round(delay.nanos / 1e6),
    };
  } catch {
    return undefined;
  }
}
