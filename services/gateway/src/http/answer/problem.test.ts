import { describe, expect, it } from '@jest/globals';
import { defineReasons, kitError, ServiceError, type StatusName } from '@tally/service-kit';
import { fail } from '../../errors.js';
import { toProblem } from './problem.js';

const error = (status: StatusName, reason = 'SOME_REASON', details = {}) =>
  new ServiceError('jobs', reason, status, 'text for the user', details);

describe('an error answer', () => {
  it.each([
    ['INVALID_ARGUMENT', 400],
    ['FAILED_PRECONDITION', 400],
    ['OUT_OF_RANGE', 400],
    ['UNAUTHENTICATED', 401],
    ['PERMISSION_DENIED', 403],
    ['NOT_FOUND', 404],
    ['ALREADY_EXISTS', 409],
    ['ABORTED', 409],
    ['RESOURCE_EXHAUSTED', 429],
    ['CANCELLED', 499],
    ['UNKNOWN', 500],
    ['INTERNAL', 500],
    ['DATA_LOSS', 500],
    ['UNIMPLEMENTED', 501],
    ['UNAVAILABLE', 503],
    ['DEADLINE_EXCEEDED', 504],
  ] as const)('has the status of the style guide: %s is %i', (name, status) => {
    const problem = toProblem(error(name), 'r-1');
    expect(problem.status).toBe(status);
    expect(problem.body).toEqual({
      message: 'text for the user',
      status_code: status,
      code: 'SOME_REASON',
      request_id: 'r-1',
    });
  });

  it.each([
    ['IDEMPOTENCY_KEY_REUSED', 422],
    ['CONVERSION_FAILED', 500],
    ['SSO_REALM_UNAVAILABLE', 500],
    ['JOB_NOT_TERMINAL', 409],
    ['SIM_DATA_TOO_LARGE', 413],
    ['UPLOAD_TOO_LARGE', 413],
  ] as const)('has the status that a document demands, whatever the service says: %s is %i', (reason, status) => {
    for (const name of ['INVALID_ARGUMENT', 'INTERNAL', 'UNAVAILABLE', 'ABORTED'] as const) {
      expect(toProblem(error(name, reason), 'r').status).toBe(status);
    }
  });

  it.each([
    ['METHOD_NOT_ALLOWED', 405],
    ['REQUEST_TIMEOUT', 408],
    ['BODY_TOO_LARGE', 413],
    ['CONTENT_TYPE_UNSUPPORTED', 415],
    ['HEADERS_TOO_LARGE', 431],
    ['FRONTEND_UNAVAILABLE', 502],
  ] as const)('has the status of HTTP for what HTTP names: %s is %i', (reason, status) => {
    expect(toProblem(fail(reason), 'r').status).toBe(status);
  });

  it('says "internal error" and nothing else of what is not meant for users', () => {
    const remote = defineReasons('jobs', { REMOTE: { status: 'UNIMPLEMENTED', message: 'no handler', when: '' } });
    for (const err of [
      new Error('SELECT * FROM users'),
      'thrown text',
      undefined,
      kitError('CALLER_UNKNOWN'),
      kitError('CALLER_NOT_ALLOWED'),
      kitError('USER_REQUIRED'),
      remote('REMOTE'),
    ]) {
      expect(toProblem(err, 'r').body).toEqual({
        message: 'internal error',
        status_code: 500,
        code: 'INTERNAL',
        request_id: 'r',
      });
    }
  });

  it('names wrong fields in one way', () => {
    const fields = [
      { field: '/sim_data/zones/0', message: 'is open' },
      { field: 'username', message: 'is required' },
    ];
    expect(toProblem(error('INVALID_ARGUMENT', 'X', { fields }), 'r').body.errors).toEqual([
      { field: 'sim_data/zones/0', message: 'is open' },
      { field: 'username', message: 'is required' },
    ]);
  });

  it('says when to come back: always with 429, otherwise if the service says so', () => {
    expect(toProblem(error('RESOURCE_EXHAUSTED', 'X', { retryAfterMs: 1_001 }), 'r').headers).toEqual({
      'Retry-After': '2',
    });
    expect(toProblem(error('RESOURCE_EXHAUSTED'), 'r').headers).toEqual({ 'Retry-After': '1' });
    expect(toProblem(error('UNAVAILABLE', 'X', { retryAfterMs: 0 }), 'r').headers).toEqual({ 'Retry-After': '1' });
    expect(toProblem(error('UNAVAILABLE'), 'r').headers).toEqual({});
  });
});
