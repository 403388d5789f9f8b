import type { GatewayConfig } from '../config.js';
import { RECEIVE_RATE_BYTES_MIN } from './request/body.js';
import { JSON_DEPTH_MAX } from './request/json-scanner.js';
import type { PublishedLimits } from './route.js';

/*
 * Bounds of requests and answers that no site needs otherwise. Those that a site chooses are settings; tests start a gateway with
 * smaller ones.
 */
export const REQUEST_BOUNDS = {
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
};
export type RequestBounds = Readonly<typeof REQUEST_BOUNDS>;

/** What GET /limits shows, and requests are held to. */
export function publishedLimits(config: GatewayConfig & RequestBounds): PublishedLimits {
  return {
    body_bytes_max: config.bodyBytesMax,
    submission_bytes_max: config.submissionBytesMax,
    results_bytes_max: config.resultsBytesMax,
    result_numbers_max: config.resultNumbersMax,
    result_pages_max: config.resultPagesMax,
    json_keys_max: config.jsonKeysMax,
    json_values_max: config.jsonValuesMax,
    json_depth_max: JSON_DEPTH_MAX,
    header_bytes_max: config.headerBytesMax,
    headers_timeout_ms: config.headersTimeoutMs,
    receive_timeout_ms: config.receiveTimeoutMs,
    receive_rate_bytes_min: RECEIVE_RATE_BYTES_MIN,
    call_timeout_ms: config.callTimeoutMs,
    submit_timeout_ms: config.submitTimeoutMs,
    stream_timeout_ms: config.streamTimeoutMs,
    event_streams_per_user_max: config.eventStreamsPerUserMax,
    event_heartbeat_ms: config.eventHeartbeatMs,
  };
}
