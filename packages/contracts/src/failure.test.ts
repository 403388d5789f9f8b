import { describe, expect, it } from '@jest/globals';
import { FAILURE_CODES, type FailureCode, readFailure, writeFailure } from './failure.js';

describe('the text of a failure', () => {
  it.each(Object.keys(FAILURE_CODES) as FailureCode[])('%s is read as it was written', (code) => {
    const detail = 'a sentence: with a colon; and more';
    const { stage, isRetryable } = FAILURE_CODES[code];
    expect(readFailure(writeFailure(code, detail))).toEqual({ code, stage, detail, isRetryable });
  });

  it('says how the simulator ended, and takes no word of what that printed', () => {
    const text = 'SIMULATOR_FAILED: the simulator failed: exit code 3; its error output ends: beam: exit code 9';
    expect(readFailure(`${text} (attempt 3 of 3)`)).toMatchObject({
      code: 'SIMULATOR_FAILED',
      stage: 'run',
      exitCode: 3,
    });
    const crashed = readFailure('SIMULATOR_CRASHED: the simulator crashed: signal SIGSEGV (attempt 3 of 3)');
    expect(crashed).toMatchObject({ code: 'SIMULATOR_CRASHED', signal: 'SIGSEGV', isRetryable: true });
    expect(crashed).not.toHaveProperty('exitCode');
  });

  it('of a job is that of the first task that failed, or of the merge', () => {
    const detail = '2 of 8 tasks failed; task 3: DECK_INVALID: the input of the job cannot be run';
    expect(readFailure(detail)).toEqual({ code: 'DECK_INVALID', stage: 'run', detail, isRetryable: false });
    const merge = 'merging the results failed; OUTPUT_MISSING: not there';
    expect(readFailure(merge)).toMatchObject({ code: 'OUTPUT_MISSING', stage: 'merge', detail: merge });
  });

  it('without a code of ours is the word of an external worker', () => {
    for (const detail of ['exit code 3', 'TIMEOUT', 'SOMETHING_ELSE: of another program', ''])
      expect(readFailure(detail)).toMatchObject({ code: 'REPORTED', detail });
  });
});
