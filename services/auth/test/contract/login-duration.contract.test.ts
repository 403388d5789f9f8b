import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AuthFixture, login, mannWhitneyZ, PASSWORD, register, startAuthFixture } from '../auth-fixture.js';

const PAIRS = 200;
let fixture: AuthFixture;
beforeAll(async () => {
  const many = { failuresPerUserMax: 100_000, failuresPerAddressMax: 100_000 };
  fixture = await startAuthFixture({ ...many, bcryptCost: 6 });
  await register(fixture, 'mira');
});
afterAll(() => fixture.stop());

it('a wrong password and an unknown user take equally long', async () => {
  const durationOf = async (username: string) => {
    const from = performance.now();
    await login(fixture, username, 'wrong password').catch(() => undefined);
    return performance.now() - from;
  };
  await login(fixture, 'mira', PASSWORD);
  await durationOf('warm-up');
  const [wrong, unknown]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < PAIRS; pair++) {
    // alternately first, so that what else the machine does meets both alike
    const isWrongFirst = pair % 2 === 0;
    if (isWrongFirst) wrong.push(await durationOf('mira'));
    unknown.push(await durationOf('nobody'));
    if (!isWrongFirst) wrong.push(await durationOf('mira'));
  }
  // without the comparison for unknown users this is 17; a chance of one in three million lies beyond 5
  expect(Math.abs(mannWhitneyZ(wrong, unknown))).toBeLessThan(5);
});
