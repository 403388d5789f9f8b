import { describe, expect, it } from '@jest/globals';
import { kitError, ServiceError } from '@tally/service-kit';
import { fail } from '../errors.js';
import { judgeError } from './attempt-submission.js';

const noCredential = new ServiceError('auth', 'CREDENTIAL_NOT_FOUND', 'NOT_FOUND', 'none');

describe('judgeError', () => {
  it.each([
    // nothing has reached the scheduler, and the owner waits for the answer
    [fail('CLUSTER_UNREACHABLE'), true, 'answer'],
    [fail('LOGIN_REFUSED'), true, 'answer'],
    [fail('HOST_KEY_CHANGED'), true, 'answer'],
    [fail('UPLOAD_DAMAGED'), true, 'answer'],
    [fail('COMMAND_LOST'), true, 'answer'],
    [fail('LOGIN_SCRIPT_PRINTS'), true, 'answer'],
    [fail('COMMAND_NOT_RUN'), true, 'answer'],
    [fail('SSH_FAULT'), true, 'answer'],
    [fail('COMMAND_TIMED_OUT'), true, 'answer'],
    // later, or something may be at the scheduler
    [fail('CLUSTER_UNREACHABLE'), false, 'retry'],
    [fail('LOGIN_REFUSED'), false, 'retry'],
    [fail('HOST_KEY_CHANGED'), false, 'retry'],
    [fail('UPLOAD_DAMAGED'), false, 'retry'],
    [fail('COMMAND_LOST'), false, 'retry'],
    [fail('SCHEDULER_UNREACHABLE'), false, 'retry'],
    [fail('SCHEDULER_BUSY'), false, 'retry'],
    [fail('SCHEDULER_DENIED'), false, 'retry'],
    [fail('SCHEDULER_ANSWER_UNKNOWN'), false, 'retry'],
    [fail('SCHEDULER_DEPENDENCY_LOST'), false, 'retry'],
    // no attempt will change it
    [fail('SCHEDULER_REFUSED'), false, 'fail'],
    [fail('DECK_TOO_LARGE'), false, 'fail'],
    [fail('UPDATE_KEY_MISSING'), false, 'fail'],
    // a login mends it
    [fail('CREDENTIAL_UNUSABLE'), true, 'wait'],
    [noCredential, true, 'wait'],
    [noCredential, false, 'wait'],
    // not the job's and not the cluster's fault
    [kitError('SERVICE_UNAVAILABLE'), true, 'retry'],
    [new TypeError('a fault of ours'), true, 'retry'],
  ] as const)('%s, first attempt: %s → %s', (err, isFirst, verdict) => {
    expect(judgeError(err, isFirst)).toBe(verdict);
  });
});
