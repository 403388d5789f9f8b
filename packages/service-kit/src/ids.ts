import { randomUUID } from 'node:crypto';

/** A text that is not interchangeable with other texts. */
export type Branded<Name extends string> = string & { readonly __brand: Name };

/** Public job id: `YYYYMMDD-HHMMSS-<uuid>` in UTC; unguessable by its random part. */
export function newJobId(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomUUID()}`;
}

/** Random id for requests, attempts and merges. */
export function newId(): string {
  return randomUUID();
}
