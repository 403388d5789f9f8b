import { describe, expect, it } from '@jest/globals';
import { kitError, ServiceError } from '@tally/service-kit';
import { fail } from './errors.js';
import { judgeFailure } from './try-submission.js';

const noCredential = new ServiceError('auth', 'CREDENTIAL_NOT_FOUND', 'NOT_FOUND', 'none');

describe('judgeFailure', () => {
  it.each([
    // nothing has reached the scheduler, and the owner waits for the answer
    [fail('CLUSTER_UNREACHABLE'), true, 'fails'],
    [fail('LOGIN_REFUSED'), true, 'fails'],
    [fail('HOST_KEY_CHANGED'), true, 'fails'],
    [fail('UPLOAD_DAMAGED'), true, 'fails'],
    [fail('COMMAND_LOST'), true, 'fails'],
    [fail('COMMAND_TIMED_OUT'), true, 'fails'],
    // later, or something may be at the scheduler
    [fail('CLUSTER_UNREACHABLE'), false, 'is tried again'],
    [fail('LOGIN_REFUSED'), false, 'is tried again'],
    [fail('HOST_KEY_CHANGED'), false, 'is tried again'],
    [fail('UPLOAD_DAMAGED'), false, 'is tried again'],
    [fail('COMMAND_LOST'), false, 'is tried again'],
    [fail('SCHEDULER_UNREACHABLE'), false, 'is tried again'],
    [fail('SCHEDULER_ANSWER_UNKNOWN'), false, 'is tried again'],
    // no try will change it
    [fail('SCHEDULER_REFUSED'), false, 'fails'],
    [fail('DECK_TOO_LARGE'), false, 'fails'],
    [fail('UPDATE_KEY_MISSING'), false, 'fails'],
    [fail('SUBMISSION_EXPIRED'), false, 'fails'],
    // a login mends it
    [fail('CREDENTIAL_UNUSABLE'), true, 'waits'],
    [noCredential, true, 'waits'],
    [noCredential, false, 'waits'],
    // not the job's and not the cluster's fault
    [kitError('SERVICE_UNAVAILABLE'), true, 'is tried again'],
    [new TypeError('a fault of ours'), true, 'is tried again'],
  ] as const)('%s, first chance: %s → %s', (err, isFirstChance, verdict) => {
    expect(judgeFailure(err, isFirstChance)).toBe(verdict);
  });
});
