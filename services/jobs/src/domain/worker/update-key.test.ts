import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { JobId } from '../job.js';
import { deriveUpdateKey, isUpdateKey } from './update-key.js';

const [mine, other] = ['20260102-030405-a', '20260102-030405-b'] as JobId[];
const master = 'a master key of at least thirty-two characters';
const secrets = { master, before: '', shared: '' };

describe('an update key', () => {
  it('is the HMAC of the job id under the master key, as anybody can compute it', () => {
    const expected = createHmac('sha256', master).update(`update_key:${mine}`).digest('hex');
    expect(deriveUpdateKey(master, mine ?? '')).toBe(expected);
  });

  it('opens its own job and no other', () => {
    const key = deriveUpdateKey(master, mine ?? '');
    expect(isUpdateKey(secrets, mine, key)).toBe(true);
    expect(isUpdateKey(secrets, other, key)).toBe(false);
    expect(isUpdateKey({ ...secrets, master: `${master}!` }, mine, key)).toBe(false);
    for (const wrong of ['', key.slice(1), `${key}0`, key.toUpperCase(), master]) {
      expect(isUpdateKey(secrets, mine, wrong)).toBe(false);
    }
  });

  it('of a job that does not exist opens nothing', () => {
    expect(isUpdateKey(secrets, undefined, deriveUpdateKey(master, ''))).toBe(false);
    expect(isUpdateKey({ ...secrets, shared: 's'.repeat(32) }, undefined, 's'.repeat(32))).toBe(false);
  });

  it('may be one for all jobs, when one is set', () => {
    const shared = 'one key that the deployment gave to all workers';
    for (const jobId of [mine, other]) expect(isUpdateKey({ ...secrets, shared }, jobId, shared)).toBe(true);
    expect(isUpdateKey({ ...secrets, shared }, mine, deriveUpdateKey(master, mine ?? ''))).toBe(true);
  });

  it('of the master before this one is still accepted while that is named, and not after', () => {
    const key = deriveUpdateKey(master, mine ?? '');
    const next = 'the next master key, also of thirty-two characters or more';
    expect(isUpdateKey({ master: next, before: master, shared: '' }, mine, key)).toBe(true);
    expect(isUpdateKey({ master: next, before: master, shared: '' }, other, key)).toBe(false);
    expect(isUpdateKey({ master: next, before: '', shared: '' }, mine, key)).toBe(false);
  });

  it('does not exist where no secret is set', () => {
    const none = { master: '', before: '', shared: '' };
    expect(isUpdateKey(none, mine, '')).toBe(false);
    expect(isUpdateKey(none, mine, deriveUpdateKey('', mine ?? ''))).toBe(false);
  });
});
