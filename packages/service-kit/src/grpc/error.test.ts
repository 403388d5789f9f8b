import { status as codes, type ServiceError as GrpcError, Metadata } from '@grpc/grpc-js';
import { describe, expect, test } from '@jest/globals';
import { kitError, ServiceError } from '../errors.js';
import { fromGrpcError, toGrpcStatus } from './error.js';

/** What a call fails with whose server ended it so. */
const failure = ({ code, metadata }: Pick<GrpcError, 'code' | 'metadata'>): GrpcError =>
  Object.assign(new Error('a call failed'), { code, metadata, details: '' });

describe('fromGrpcError', () => {
  test.each([
    ['all that an error says', { fields: [{ field: '/a', message: 'is wrong' }], retryAfterMs: 1_500 }],
    ['no more than its reason', {}],
  ])('is the inverse of toGrpcStatus: %s', (_what, details) => {
    const err = new ServiceError('jobs', 'JOB_NOT_FOUND', 'NOT_FOUND', 'no such job', details);
    const { code, metadata } = toGrpcStatus(err);
    expect(fromGrpcError(failure({ code, metadata }))).toEqual(err);
  });

  test.each([
    ['no details', undefined],
    ['details that cannot be read', Buffer.from([255])],
  ])('makes an error of the kit of an answer with %s', (_what, details) => {
    const metadata = new Metadata();
    if (details !== undefined) metadata.set('grpc-status-details-bin', details);
    const { reason, status, message } = fromGrpcError(failure({ code: codes.NOT_FOUND, metadata }));
    expect([reason, status, message]).toEqual(['REMOTE', 'NOT_FOUND', kitError.reasons.REMOTE.message]);
  });
});
