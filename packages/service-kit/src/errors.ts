/** gRPC status names that a service may answer with. */
export type StatusName =
  | 'CANCELLED'
  | 'UNKNOWN'
  | 'INVALID_ARGUMENT'
  | 'DEADLINE_EXCEEDED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'PERMISSION_DENIED'
  | 'RESOURCE_EXHAUSTED'
  | 'FAILED_PRECONDITION'
  | 'ABORTED'
  | 'OUT_OF_RANGE'
  | 'UNIMPLEMENTED'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'DATA_LOSS'
  | 'UNAUTHENTICATED';

/** A wrong field of a request: its path as the sender wrote it, and what is wrong with it. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

export interface ErrorDetails {
  /** Replaces the reason's sentence; must be fit for the end user's eyes. */
  readonly message?: string;
  readonly fields?: readonly FieldFault[];
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/**
 * The one error type that crosses hops: thrown in the domain, carried by gRPC with its reason, domain, fields and
 * retry delay, and thrown again, equal, in the caller.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly fields: readonly FieldFault[];
  readonly retryAfterMs: number | undefined;

  constructor(
    /** Service that owns the reason. */
    readonly domain: string,
    /** Stable machine word. */
    readonly reason: string,
    readonly status: StatusName,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.fields = details.fields ?? [];
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** REASON → status, the sentence users see, and when it is thrown (for docs/errors.md). */
export type ReasonTable = Readonly<Record<string, { status: StatusName; message: string; when: string }>>;

/**
 * Declares a service's reasons. The result makes errors: `throw fail('JOB_NOT_FOUND')`.
 * The table is kept on it, so that docs/errors.md can be checked against it.
 */
export function defineReasons<const T extends ReasonTable>(domain: string, reasons: T) {
  const fail = (reason: keyof T & string, details: ErrorDetails = {}): ServiceError => {
    const entry = reasons[reason];
    if (entry === undefined) throw new Error(`unknown reason ${reason}`);
    return new ServiceError(domain, reason, entry.status, details.message ?? entry.message, details);
  };
  return Object.assign(fail, { domain, reasons });
}

/** Reasons that any service may answer with, made by the kit itself. */
export const kitError = defineReasons('kit', {
  INTERNAL: { status: 'INTERNAL', message: 'internal error', when: 'a fault in the service; its log has the details' },
  CALLER_UNKNOWN: {
    status: 'UNAUTHENTICATED',
    message: 'caller is not known',
    when: 'a gRPC call without a valid caller name and token',
  },
  CALLER_NOT_ALLOWED: {
    status: 'PERMISSION_DENIED',
    message: 'caller is not allowed to make this call',
    when: 'a known service calls an RPC that does not name it',
  },
  USER_REQUIRED: {
    status: 'UNAUTHENTICATED',
    message: 'the call needs an acting user',
    when: 'an RPC on behalf of a user came without one',
  },
  ROLE_REQUIRED: {
    status: 'PERMISSION_DENIED',
    message: 'Only operators may do this, and teachers with their classes',
    when: 'a user who is no operator (AUTH_OPERATORS, AUTH_OPERATOR_CLAIM) asks for what is for operators, or one who is no teacher either (AUTH_TEACHERS, AUTH_TEACHER_CLAIM) for classes',
  },
  DEADLINE_TOO_SHORT: {
    status: 'DEADLINE_EXCEEDED',
    message: 'The service is too busy to answer in time; try again in a few seconds',
    when: 'a call arrives or would be sent with less than 100 ms left',
  },
  SERVICE_UNAVAILABLE: {
    status: 'UNAVAILABLE',
    message: 'a part of the service is not available; try again',
    when: 'a service cannot be reached or is stopping',
  },
  CANCELLED: { status: 'CANCELLED', message: 'the caller went away', when: 'the caller cancelled the call' },
  REMOTE: {
    status: 'INTERNAL',
    message: 'internal error',
    when: 'a service answered with an error that carries no reason',
  },
});

/** True for a ServiceError with this reason. */
export function hasReason(err: unknown, reason: string): err is ServiceError {
  return err instanceof ServiceError && err.reason === reason;
}
