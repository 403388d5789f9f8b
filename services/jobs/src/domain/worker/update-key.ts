import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
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
const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Whether a key is the job's or the shared one, in a time that says nothing about either.
 * @param jobId - undefined: there is no such job; the work is done all the same
 */
export function isUpdateKey(secrets: UpdateKeySecrets, jobId: JobId | undefined, shown: string): boolean {
  const { master, before, shared } = secrets;
  const given = digest(shown);
  const isFrom = (secret: string) => timingSafeEqual(given, digest(deriveUpdateKey(secret, jobId ?? '')));
  const [isOwn, isOfBefore, isShared] = [isFrom(master), isFrom(before), timingSafeEqual(given, digest(shared))];
  const isRight = (isOwn && master !== '') || (isOfBefore && before !== '') || (isShared && shared !== '');
  return jobId !== undefined && isRight;
}

/** The key that a job's tasks are given: its own, else the shared one; empty when the deployment has neither. */
export function givenUpdateKey({ master, shared }: UpdateKeySecrets, jobId: JobId): string {
  return master === '' ? shared : deriveUpdateKey(master, jobId);
}
