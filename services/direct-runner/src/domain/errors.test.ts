import { describe, expect, it } from '@jest/globals';
import { FAILURE_CODES } from '@tally/contracts';
import { type FailureReason, fail, newFailure } from './errors.js';

describe('why a task fails', () => {
  it.each(Object.keys(fail.reasons) as FailureReason[])(
    '%s is known to users, with what a repeat would bring',
    (reason) => {
      expect(FAILURE_CODES).toHaveProperty(
        reason,
        expect.objectContaining({ isRetryable: newFailure(reason).isRetryable }),
      );
    },
  );
});
