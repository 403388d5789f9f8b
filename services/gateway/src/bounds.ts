/*
 * Bounds that no site needs otherwise. Those that a site chooses are settings (config.ts); tests start a gateway with smaller ones.
 */
export const BOUNDS = {
  /** Body of a request that is no submission, bytes: names, ids and passwords; a stranger may make the gateway hold it. */
  bodyBytesMax: 65_536,
  /** Numbers in the long lists of one upload of results; each is held as 8 bytes, so that they fit into the memory for bodies. */
  resultNumbersMax: 20_000_000,
  /** Pages of one upload of results: as many as results takes. */
  resultPagesMax: 1_000,
  /** Members of all objects of a body: a member takes several times the memory of a value in a list. */
  jsonKeysMax: 250_000,
  /** Objects, lists and values of a body: each takes tens of bytes once it is parsed, of 2 that are sent. */
  jsonValuesMax: 1_000_000,
  /** Request line and headers, bytes: Node's own default, with room for both tokens in cookies. */
  headerBytesMax: 16_384,
  /** Time for the request line and headers, milliseconds: they fit into a few packets, and a connection that waits holds a socket. */
  headersTimeoutMs: 10_000,
  /** Time limit of a submission after it was received, milliseconds: jobs converts it, and results stores it. */
  submitTimeoutMs: 120_000,
  /** A stream of events that is silent for this long sends a comment, milliseconds: proxies cut connections after 30 s and more. */
  eventHeartbeatMs: 15_000,
  /** Least time between two fetches of the signing keys that unknown key ids cause, milliseconds: anybody can send one. */
  signingKeysRefreshMinMs: 1_000,
  /** How often the ended sessions are fetched from auth, milliseconds: so long is a session accepted after its end. */
  endedSessionsRefreshMs: 2_000,
};
export type GatewayBounds = Readonly<typeof BOUNDS>;
