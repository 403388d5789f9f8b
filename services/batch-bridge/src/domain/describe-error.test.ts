import { describe, expect, it } from '@jest/globals';
import { describeError } from './describe-error.js';
import { fail } from './errors.js';

describe('describeError', () => {
  const described = (cause: unknown) => describeError(fail('CLUSTER_UNREACHABLE', { cause }));

  it('adds the message of a library to the sentence', () => {
    expect(described(new Error('connect ECONNREFUSED 10.0.0.1:22'))).toBe(
      'The cluster cannot be reached: connect ECONNREFUSED 10.0.0.1:22',
    );
  });

  it('adds those of each of several errors', () => {
    const cause = new AggregateError([new Error('a'), new Error('b')]);
    expect(described(cause)).toBe('The cluster cannot be reached: a; b');
  });

  it('adds those of the failure that began a pause', () => {
    const first = fail('CLUSTER_UNREACHABLE', { cause: new Error('connect ECONNREFUSED 10.0.0.1:22') });
    expect(described(first)).toBe('The cluster cannot be reached: connect ECONNREFUSED 10.0.0.1:22');
  });

  it('adds nothing of what is no error, or of another service', () => {
    for (const cause of [undefined, null, 'x', {}, fail('LOGIN_REFUSED')]) {
      expect(described(cause)).toBe('The cluster cannot be reached');
    }
  });

  it('is one line of bounded length without control characters', () => {
    expect(described(new Error('a\n\u001b[31mb'))).toBe('The cluster cannot be reached: a [31mb');
    expect(described(new Error('a'.repeat(5_000)))).toHaveLength(1_000);
  });
});
