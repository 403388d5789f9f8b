import { status as codes, type ServiceError as GrpcError, Metadata } from '@grpc/grpc-js';
import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
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

it('a stream that the session took along is a peer that is not there', () => {
  const details =
    'Received RST_STREAM with code 2 triggered by internal client error: Session closed with error code 9';
  const err = Object.assign(failure({ code: codes.INTERNAL, metadata: new Metadata() }), { details });
  expect(fromGrpcError(err)).toMatchObject({ status: 'UNAVAILABLE', reason: 'SERVICE_UNAVAILABLE' });
});

const text = fc.string({ unit: 'binary', maxLength: 200_000 });
const repeated = fc.tuple(text, fc.nat(4_000)).map(([part, count]) => part.slice(0, 40).repeat(count));
const anyText = fc.oneof(text, repeated);
const fields = fc
  .tuple(fc.array(fc.record({ field: anyText, message: anyText }), { maxLength: 8 }), fc.nat(300))
  .map(([some, count]) => Array.from({ length: count }).flatMap(() => some));

describe('toGrpcStatus', () => {
  it('makes of every error a block of headers that a connection survives, and that names the first fault', () => {
    fc.assert(
      fc.property(anyText, fields, fc.option(fc.nat(1e9), { nil: undefined }), (message, faults, retryAfterMs) => {
        const details = { fields: faults, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
        const {
          code,
          metadata,
          details: shown,
        } = toGrpcStatus(new ServiceError('jobs', 'PROJECT_INVALID', 'INVALID_ARGUMENT', message, details));
        const raw = metadata.get('grpc-status-details-bin')[0] as Buffer;
        expect(raw.toString('base64').length + encodeURIComponent(shown ?? '').length).toBeLessThan(64_000);
        const got = fromGrpcError(failure({ code: code ?? codes.UNKNOWN, metadata }));
        expect(got).toMatchObject({ reason: 'PROJECT_INVALID', status: 'INVALID_ARGUMENT', retryAfterMs });
        if (faults.length > 0) expect(got.fields.length).toBeGreaterThan(0);
        // the next hop bounds nothing more
        const again = fromGrpcError(
          failure({ code: code ?? codes.UNKNOWN, metadata: toGrpcStatus(got).metadata ?? metadata }),
        );
        expect([again.message, again.fields]).toEqual([got.message, got.fields]);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps both ends of a sentence that quotes a long word', () => {
    const message = `"${'x'.repeat(5_000)}" is not a number`;
    const { metadata } = toGrpcStatus(
      new ServiceError('jobs', 'PROJECT_INVALID', 'INVALID_ARGUMENT', 'wrong', { fields: [{ field: '/a', message }] }),
    );
    const [fault] = fromGrpcError(
      failure({ code: codes.INVALID_ARGUMENT, metadata: metadata ?? new Metadata() }),
    ).fields;
    expect(fault?.message).toMatch(/^"x+…x+" is not a number$/);
  });
});
