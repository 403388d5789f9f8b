import { expect, it } from '@jest/globals';
import { warmUpConversion } from './warm-up.js';

it('has a project that every simulator takes', () => {
  expect(warmUpConversion).not.toThrow();
});
