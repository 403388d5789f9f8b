/*
 * Bounds that no site needs otherwise. Those that a site chooses are settings (config.ts); tests start auth with smaller ones.
 */
export const BOUNDS = {
  /**
   * Logins that may wait for a hash, of devices on which their users have logged in before and of others each; where there is no
   * room, the address with the most gives one up. At four hashes a second and processor the last waits some seconds.
   */
  hashesWaitingMax: 32,
  /** Of these from one address (IPv6: a /64): half, so that no address fills the queue. */
  hashesWaitingPerAddressMax: 16,
  /** How long failures are counted, from the first, milliseconds; then the count starts anew: the longest that a user waits. */
  throttleWindowMs: 15 * 60_000,
  /** Registrations tried from an address in a window: a class of students behind one address gets in. */
  registrationsPerAddressMax: 100,
  /** User names that nobody has, asked for by one user in a window: more than a teacher mistypes. */
  unknownNamesPerUserMax: 50,
  /** How long an address or device counts as known to a user after a login from it, milliseconds: who logs in monthly stays known. */
  knownAddressMs: 30 * 24 * 60 * 60_000,
  /** Life of an access token of a local user, milliseconds; one refresh in ten minutes costs nothing. */
  accessTokenLocalMs: 10 * 60_000,
  /** Life of an access token of a single-sign-on user, milliseconds: as long as the interface promises. */
  accessTokenSsoMs: 30 * 60_000,
  /** How long a new signing key is published before it signs, milliseconds: the gateway reads the keys anew within that time. */
  signingKeyDelayMs: 10_000,
  /** Tolerance for the clock of the realm, milliseconds: machines that synchronise differ by less. */
  ssoClockSkewMs: 30_000,
  /** Largest realm token, bytes: more than headers of HTTP may have. */
  ssoTokenBytesMax: 16_384,
  /** Time limit for reading discovery document and keys of the realm together, milliseconds: below that of the gateway's call. */
  ssoRealmTimeoutMs: 4_000,
  /** How long the keys of the realm are used before they are read again, milliseconds: a key that is withdrawn is accepted so long. */
  ssoKeysMaxAgeMs: 600_000,
  /** Least time between two reads of the keys because of an unknown key id, milliseconds: forged tokens must not flood the realm. */
  ssoKeysIntervalMinMs: 10_000,
  /** Time limit for an answer of the certificate proxy, milliseconds: a login waits for it, and goes on without. */
  certProxyTimeoutMs: 5_000,
  /** Largest answer of the certificate proxy, bytes: a key and a certificate take a tenth. */
  certProxyBytesMax: 65_536,
  /** How long a request for a link to a new password takes, milliseconds: longer than its work, so that the time tells nothing. */
  resetAnswerMs: 300,
  /** Between two looks for mails that are due, milliseconds: mails of other copies, and repeats. */
  mailIntervalMs: 2_000,
  /** Nobody else takes a mail for so long, milliseconds; a try is given up after two fifths of it. */
  mailHoldMs: 5 * 60_000,
  /** How long it is remembered that a mail was sent, milliseconds: who asks for a notice repeats that for a day at most. */
  mailMemoryMs: 30 * 24 * 60 * 60_000,
  /** Pause between two clean-ups of expired rows, milliseconds. */
  housekeepingIntervalMs: 60_000,
  /** Rows deleted by one statement of a clean-up: some milliseconds of locks. */
  housekeepingRowsMax: 1_000,
};
export type AuthBounds = Readonly<typeof BOUNDS>;
