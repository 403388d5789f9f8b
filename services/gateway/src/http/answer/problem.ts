import { kitError, ServiceError, type StatusName } from '@tally/service-kit';

/** gRPC status → HTTP status: the one table, exhaustive by type (STYLE 6). */
const HTTP_STATUS: Readonly<Record<StatusName, number>> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  UNKNOWN: 500,
  INTERNAL: 500,
  DATA_LOSS: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

/** Reasons whose HTTP status is fixed by a document, whatever their gRPC status. Each with its source. */
const DEPARTURES: Readonly<Record<string, number>> = {
  METHOD_NOT_ALLOWED: 405, // docs/http-interface.md, Conventions; RFC 9110 15.5.6
  NOT_ACCEPTABLE: 406, // RFC 9110 15.5.7
  SUM_UNAVAILABLE: 409, // docs/http-interface.md, Results: parts and sums
  CONTENT_TYPE_UNSUPPORTED: 415, // docs/http-interface.md, Conventions
  BODY_TOO_LARGE: 413, // docs/http-interface.md, Conventions
  SIM_DATA_TOO_LARGE: 413, // docs/http-interface.md, Conventions: the same limit, seen by jobs
  UPLOAD_TOO_LARGE: 413, // docs/http-interface.md, Conventions: the same limit, seen by results
  HEADERS_TOO_LARGE: 431, // RFC 6585 5
  REQUEST_TIMEOUT: 408, // RFC 9110 15.5.9
  FRONTEND_UNAVAILABLE: 502, // RFC 9110 15.6.3
  IDEMPOTENCY_KEY_REUSED: 422, // docs/http-interface.md, Submission: repeat
  SUBMISSIONS_PAUSED: 503, // docs/http-interface.md, Operators: a pause
  CONVERSION_FAILED: 500, // the public contract, Errors: POST /jobs/direct
  SSO_REALM_UNAVAILABLE: 500, // the public contract, Errors: SSO login: validation failed
  JOB_NOT_ENDED: 409, // docs/http-interface.md, Crate
  LAST_MANAGER: 409, // docs/http-interface.md, Groups
  GROUP_OF_REALM: 409, // docs/http-interface.md, Groups
  JOB_NOT_TERMINAL: 409, // the public contract, Errors: DELETE /user/simulations
};

/** Reasons of a wrongly configured service: users read "internal error", not that they lack a permission. */
const OURS_TO_MEND: ReadonlySet<string> = new Set(['CALLER_UNKNOWN', 'CALLER_NOT_ALLOWED', 'USER_REQUIRED', 'REMOTE']);

/** HTTP status that a reason gets. */
export function httpStatusOf(status: StatusName, reason: string): number {
  return OURS_TO_MEND.has(reason) ? HTTP_STATUS.INTERNAL : (DEPARTURES[reason] ?? HTTP_STATUS[status]);
}

/** Body of every error answer. */
export interface Problem {
  readonly message: string;
  readonly status_code: number;
  /** Stable machine word; docs/errors.md lists all. */
  readonly code: string;
  readonly request_id: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem;
}

/** Least pause that a 429 without a delay of its own asks for, seconds. */
const RETRY_AFTER_SECONDS = 1;

/** Any error → the problem that the client gets. Only a ServiceError has its own; the rest is "internal error". */
export function toProblem(err: unknown, requestId: string): ProblemAnswer {
  const known = err instanceof ServiceError && !OURS_TO_MEND.has(err.reason) ? err : kitError('INTERNAL');
  const status = httpStatusOf(known.status, known.reason);
  const retryAfterSeconds =
    known.retryAfterMs === undefined
      ? status === 429 && RETRY_AFTER_SECONDS
      : Math.max(1, Math.ceil(known.retryAfterMs / 1000));
  return {
    status,
    headers: retryAfterSeconds === false ? {} : { 'Retry-After': String(retryAfterSeconds) },
    body: {
      message: known.message,
      status_code: status,
      code: known.reason,
      request_id: requestId,
      ...(known.fields.length === 0
        ? {}
        : { errors: known.fields.map(({ field, message }) => ({ field: toPath(field), message })) }),
    },
  };
}

/** Services name fields plainly or by JSON pointer; users see one way: `sim_data/detectors/0/name`. */
function toPath(field: string): string {
  return field.startsWith('/') ? field.slice(1) : field;
}
