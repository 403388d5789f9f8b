import { defineReasons } from '@tally/service-kit';

/** Reasons of the gateway: what it refuses by itself, before a service is asked. */
export const fail = defineReasons('gateway', {
  PATH_NOT_FOUND: { status: 'NOT_FOUND', message: 'There is nothing at this path', when: 'the path is not of the API' },
  METHOD_NOT_ALLOWED: {
    status: 'UNIMPLEMENTED',
    message: 'The path does not take this method',
    when: 'the path is of the API, but not with this method; the header Allow names those it takes',
  },
  REQUEST_INVALID: {
    status: 'INVALID_ARGUMENT',
    message: 'The request is not valid',
    when: 'a parameter or body field is missing, of the wrong type or out of its bounds; `errors` names each',
  },
  NOT_ACCEPTABLE: {
    status: 'INVALID_ARGUMENT',
    message: 'No format that Accept names is offered',
    when: 'Accept of GET /results names none of the formats in which results are given',
  },
  PROJECT_CHANGED: {
    status: 'ABORTED',
    message: 'Somebody has saved another revision of the project meanwhile',
    when: 'PUT /projects is based on a revision that is not the current one any more; the answer has the current one, and nothing was stored',
  },
  LABELS_CHANGED: {
    status: 'ABORTED',
    message: 'Somebody has changed the labels of the job meanwhile',
    when: 'PUT /jobs/labels is based on a revision that is not the current one any more; the answer has the labels as they are, and nothing was stored',
  },
  REQUEST_MALFORMED: {
    status: 'INVALID_ARGUMENT',
    message: 'The request cannot be read',
    when: 'the request is not HTTP as it should be: bad start line, header or framing',
  },
  BODY_MALFORMED: {
    status: 'INVALID_ARGUMENT',
    message: 'The body is not valid JSON',
    when: 'the body is not UTF-8, not JSON, not an object, nested too deeply, or has far too many members',
  },
  BODY_TOO_LARGE: {
    status: 'OUT_OF_RANGE',
    message: 'The body is too large',
    when:
      'the body has more bytes, members or values than GET /limits allows for this path, or takes too much time or ' +
      'memory to read',
  },
  HEADERS_TOO_LARGE: {
    status: 'OUT_OF_RANGE',
    message: 'The request line and headers are too large',
    when: 'request line and headers together are larger than the limit of GET /limits',
  },
  REQUEST_TIMEOUT: {
    status: 'DEADLINE_EXCEEDED',
    message: 'The request did not arrive in time',
    when: 'the client took longer to send headers or body than the limits of GET /limits, or sent the body too slowly',
  },
  CONTENT_TYPE_UNSUPPORTED: {
    status: 'INVALID_ARGUMENT',
    message: 'The body must be application/json, in UTF-8, without a content encoding',
    when: 'a body comes with another Content-Type, charset or Content-Encoding',
  },
  TOKEN_MISSING: {
    status: 'UNAUTHENTICATED',
    message: 'No token provided',
    when: 'the path needs a session and the request has no token cookie',
  },
  TOKEN_INVALID: {
    status: 'UNAUTHENTICATED',
    message: 'Token is invalid or has expired',
    when: 'the token cookie is forged, expired, of another purpose, or its session has ended',
  },
  TOKEN_SCOPE_MISSING: {
    status: 'PERMISSION_DENIED',
    message: 'No API token opens this path; sign in',
    when: 'an API token lacks the scope that the path needs, or the path is for logins only, as those of tokens are',
  },
  SSO_REQUIRED: {
    status: 'PERMISSION_DENIED',
    message: 'Only for users who logged in through single sign-on',
    when: 'a local user uses the batch platform or asks for clusters',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 'PERMISSION_DENIED',
    message: 'Requests from this origin are not allowed',
    when: 'a browser page of an origin outside GATEWAY_ORIGINS sends a changing request with session cookies',
  },
  SESSIONS_UNAVAILABLE: {
    status: 'UNAVAILABLE',
    message: 'Sessions cannot be checked at the moment; try again',
    when: 'auth has not been reached for longer than GATEWAY_AUTH_OUTAGE_MAX_MS, or not at all since the start',
  },
  OVERLOADED: {
    status: 'UNAVAILABLE',
    message: 'Too many large requests at the moment; try again',
    when:
      'the bodies being received would take more memory than GATEWAY_BUFFERS_BYTES_MAX, or those of requests without a ' +
      'session or key more than an eighth of it, or too many large uploads wait to be read',
  },
  ADDRESS_OVERLOADED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'Too many large requests from your address at the moment; try again',
    when: 'the bodies being received from one address would take more than three quarters of GATEWAY_BUFFERS_BYTES_MAX',
  },
  UPDATE_KEY_MISSING: {
    status: 'UNAUTHENTICATED',
    message: 'The body must begin with the job and its update key',
    when:
      'a worker sends a body larger than 64 KiB that has its job and key neither in so many bytes of its ' +
      'beginning nor in the headers Authorization and X-Job-ID',
  },
  SHARE_LINKS_THROTTLED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'Too many links that open nothing; try again later',
    when: 'an address has shown 30 share links within a minute that opened nothing; the retry delay is the rest of that minute',
  },
  EVENT_STREAMS_EXCEEDED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'Too many streams of events are open',
    when: 'a user opens more of GET /jobs/events at the same time than the limit of GET /limits',
  },
  EVENT_STREAMS_FULL: {
    status: 'UNAVAILABLE',
    message: 'Too many streams of events at the moment; try again',
    when: 'all users together have GATEWAY_EVENT_STREAMS_MAX streams open at this copy of the gateway',
  },
  NOT_READY: {
    status: 'UNAVAILABLE',
    message: 'Not ready',
    when: 'GET /readyz while the gateway starts or stops, or a service does not answer',
  },
  TEMPLATE_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'There is no such template',
    when: 'no template has this name; GET /templates lists those that there are, and the log of the gateway says which ones were left out',
  },
  ANSWER_INVALID: {
    status: 'INTERNAL',
    message: 'internal error',
    when: 'a service answered with something outside its contract; the log has the details',
  },
  FRONTEND_UNAVAILABLE: {
    status: 'UNAVAILABLE',
    message: 'The frontend is not available',
    when: 'the frontend behind GATEWAY_FRONTEND_URL does not answer',
  },
});

/** Error for an answer outside its contract; the cause is for the log. */
export function answerInvalid(why: string) {
  return fail('ANSWER_INVALID', { cause: new Error(why) });
}
