import { type Sql, sql } from '@tally/service-kit';

// Each deletes at most so many rows. Copies of the service clean up at once: what one deletes the others pass over.

/** Sessions that are over and no longer listed as ended. */
export const deleteExpiredSessions = (now: Date, accessExpiredBefore: Date, rowsMax: number): Sql => sql`
  DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions
    WHERE access_expires_at < ${accessExpiredBefore} AND (ended_at IS NOT NULL OR refresh_expires_at < ${now})
    LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`;

/** API tokens that ended or expired before a moment. */
export const deleteExpiredApiTokens = (before: Date, rowsMax: number): Sql => sql`
  DELETE FROM api_tokens WHERE id IN (
    SELECT id FROM api_tokens WHERE ended_at < ${before} OR expires_at < ${before}
    LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`;

/** Counts of windows that are over. */
export const deleteExpiredThrottles = (now: Date, rowsMax: number): Sql => sql`
  DELETE FROM throttles WHERE (scope, subject) IN (
    SELECT scope, subject FROM throttles WHERE window_ends_at < ${now} LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`;

/** Addresses without a login since a moment. */
export const deleteForgottenAddresses = (before: Date, rowsMax: number): Sql => sql`
  DELETE FROM login_addresses WHERE (user_id, address) IN (
    SELECT user_id, address FROM login_addresses WHERE last_login_at < ${before}
    LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`;

/** Links that nobody has used in time. */
export const deleteExpiredLinks = (now: Date, rowsMax: number): Sql => sql`
  DELETE FROM one_time_links WHERE token_hash IN (
    SELECT token_hash FROM one_time_links WHERE expires_at < ${now} LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`;

/** Keys whose tokens are no longer accepted. */
export const deleteExpiredSigningKeys = (now: Date, rowsMax: number): Sql => sql`
  DELETE FROM signing_keys WHERE kid IN (
    SELECT kid FROM signing_keys WHERE verifies_until < ${now} LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`;

/** SSH credentials whose certificate is over. */
export const deleteExpiredCredentials = (now: Date, rowsMax: number): Sql => sql`
  DELETE FROM cluster_credentials WHERE user_id IN (
    SELECT user_id FROM cluster_credentials WHERE expires_at < ${now} LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`;
