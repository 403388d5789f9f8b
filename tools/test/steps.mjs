// Steps that are told with their time, and counted.
import { inspect } from 'node:util';

const counts = { passed: 0, failed: 0 };

export const results = () => ({ ...counts });

/** Runs a step and says how it went and how long it took. @returns what the step gives @throws what it throws */
export async function step(name, work) {
  const start = performance.now();
  try {
    const found = await work();
    counts.passed += 1;
    console.log(`ok     ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    return found;
  } catch (err) {
    counts.failed += 1;
    console.log(`FAILED ${name}\n         ${inspect(err)}`);
    throw err;
  }
}

export function expectEqual(found, expected) {
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
  }
}
