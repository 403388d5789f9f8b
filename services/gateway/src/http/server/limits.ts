import { PROJECT_BYTES_MAX } from '@tally/contracts';
import type { GatewayBounds } from '../../bounds.js';
import type { GatewayConfig } from '../../config.js';
import { RECEIVE_RATE_BYTES_MIN } from '../request/body.js';
import { JSON_DEPTH_MAX } from '../request/json-scanner.js';
import type { PublishedLimits } from '../route.js';

/** What GET /limits shows, and requests are held to. */
export function publishedLimits(config: GatewayConfig & GatewayBounds): PublishedLimits {
  return {
    body_bytes_max: config.bodyBytesMax,
    submission_bytes_max: config.submissionBytesMax,
    project_bytes_max: PROJECT_BYTES_MAX,
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
