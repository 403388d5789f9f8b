import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { JobId } from '../job.js';

/** What the keys are made from; an empty text: no such key. */
export interface UpdateKeySecrets {
  readonly master: string;
  /** The master before this one: its keys are still accepted, none is derived from it. */
  readonly before: string;
  /** One key for all jobs. */
  readonly shared: string;
}

/** Key by which the workers of one job prove themselves: HMAC-SHA-256 of the job id (RFC 2104), hex. */
export function deriveUpdateKey(master: string, jobId: string): string {
  return createHmac('sha256', master).update(`update_key:${jobId}`).digest('hex');
}

/** Digests have one length, so that comparing takes one time whatever was shown. */
const digest = (text: string) => hash('sha256', text, 'buffer');

/**
 * Whether a key is the job's or the shared one, in a time that says nothing about either.
 * @param jobId - undefined: there is no such job; the work is done all the same
 */
export function isUpdateKey(secrets: UpdateKeySecrets, jobId: JobId | undefined, shown: string): boolean {
  const given = digest(shown);
  const isKey = rightKeys(secrets, jobId ?? '').map((key) => timingSafeEqual(given, digest(key)));
  return jobId !== undefined && isKey.includes(true);
}

/** As many as there are secrets. */
function rightKeys({ master, before, shared }: UpdateKeySecrets, jobId: string): string[] {
  const masters = [master, before].filter((secret) => secret !== '');
  return [...masters.map((secret) => deriveUpdateKey(secret, jobId)), ...(shared === '' ? [] : [shared])];
}

/** The key that a job's tasks are given: its own, else the shared one; empty when the deployment has neither. */
export function givenUpdateKey({ master, shared }: UpdateKeySecrets, jobId: JobId): string {
  return master === '' ? shared : deriveUpdateKey(master, jobId);
}
