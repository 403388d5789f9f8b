import { createHash } from 'node:crypto';

/** Token that the named service shows in tests. */
export function testCallerToken(name: string): string {
  return `test-caller-token-of-${name}`.padEnd(40, '.');
}

/** What a server knows of its callers in tests: name → SHA-256 of the token. */
export function testCallers(...names: readonly string[]): Map<string, readonly Buffer[]> {
  return new Map(names.map((name) => [name, [createHash('sha256').update(testCallerToken(name)).digest()]]));
}
