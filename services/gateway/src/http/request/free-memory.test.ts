import { describe, expect, it } from '@jest/globals';
import { freeMemory } from './free-memory.js';

const isPossible = 'transfer' in ArrayBuffer.prototype;

describe('memory that is given back', () => {
  it('is that of an array that has all of it, where Node can', () => {
    const bytes = Buffer.from(new ArrayBuffer(100));
    freeMemory(bytes);
    expect(bytes).toHaveLength(isPossible ? 0 : 100);
  });

  it('is not what others read', () => {
    const whole = Buffer.from(new ArrayBuffer(100));
    freeMemory(whole.subarray(10));
    freeMemory(whole.subarray(0, 99));
    expect(whole).toHaveLength(100);
  });
});
