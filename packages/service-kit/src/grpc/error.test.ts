import { describe, expect, test } from '@jest/globals';
import { rpc } from '@tally/contracts';
import { kitError, ServiceError } from '../errors.js';
import { fromStatusMessage, toStatusMessage } from './error.js';

const sent = (message: rpc.Status) => rpc.Status.decode(rpc.Status.encode(message).finish());

describe('fromStatusMessage', () => {
  test.each([
    ['all that an error says', { fields: [{ field: '/a', message: 'is wrong' }], retryAfterMs: 1_500 }],
    ['no more than its reason', {}],
  ])('is the inverse of toStatusMessage: %s', (_what, details) => {
    const err = new ServiceError('jobs', 'JOB_NOT_FOUND', 'NOT_FOUND', 'no such job', details);
    expect(fromStatusMessage(sent(toStatusMessage(err)))).toEqual(err);
  });

  test.each([
    ['no details', []],
    [
      'details that cannot be read',
      [{ typeUrl: 'type.googleapis.com/google.rpc.ErrorInfo', value: Buffer.from([255]) }],
    ],
  ])('makes an error of the kit of a message with %s', (_what, details) => {
    const { reason, status, message } = fromStatusMessage({ code: 5, message: 'text of a stranger', details });
    expect([reason, status, message]).toEqual(['REMOTE', 'NOT_FOUND', kitError.reasons.REMOTE.message]);
  });
});
