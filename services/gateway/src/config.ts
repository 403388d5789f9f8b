import {
  ConfigError,
  type ConfigOf,
  type ConfigSchema,
  callerKeys,
  commonKeys,
  envName,
  setting,
  splitAddress,
} from '@tally/service-kit';
import { z } from 'zod';

export const CONFIG_PREFIX = 'GATEWAY';

const origin = z.string().regex(/^https?:\/\/[^\s/?#@]+$/, 'must be scheme://host[:port], without a path');

/** Settings of the gateway. Who answers for what: where the services are, sessions and cookies, origins, limits. */
export const gatewayConfigSchema = {
  ...commonKeys,
  ...callerKeys,
  listenAddress: { type: setting.address, default: '127.0.0.1:0', description: 'host:port of the HTTP server' },
  authAddress: { type: setting.nonEmpty, description: 'host:port (or gRPC target) of auth' },
  jobsAddress: { type: setting.nonEmpty, description: 'host:port (or gRPC target) of jobs' },
  resultsAddress: { type: setting.nonEmpty, description: 'host:port (or gRPC target) of results' },
  batchBridgeAddress: { type: setting.nonEmpty, description: 'host:port (or gRPC target) of batch-bridge' },
  tokenIssuer: { type: setting.nonEmpty, default: 'tally-auth', description: 'Claim iss that access tokens must have' },
  tokenAudience: {
    type: setting.nonEmpty,
    default: 'tally-gateway',
    description: 'Claim aud that access tokens must have',
  },
  signingKeysRefreshMs: {
    type: setting.integer(1_000, 3_600_000),
    default: '60000',
    description: 'How often the signing keys are fetched from auth, milliseconds',
  },
  signingKeysRefreshMinMs: {
    type: setting.integer(0, 60_000),
    default: '1000',
    description: 'Least time between two fetches that unknown key ids cause, milliseconds',
  },
  endedSessionsRefreshMs: {
    type: setting.integer(100, 5_000),
    default: '2000',
    description: 'How often the ended sessions are fetched from auth, milliseconds',
  },
  verifiedTokensMax: {
    type: setting.integer(1, 10_000_000),
    default: '10000',
    description: 'Largest number of verified access tokens that are remembered, so that a signature is verified once',
  },
  statusesBytesMax: {
    type: setting.integer(1, 1_000_000_000),
    default: '16777216',
    description:
      'Most memory for statuses and lists of jobs as they were answered, which are kept until they change, bytes',
  },
  authOutageMaxMs: {
    type: setting.integer(1_000, 3_600_000),
    default: '300000',
    description: 'How long sessions are still accepted after auth was last reached, milliseconds; then 503',
  },
  cookieSecure: {
    type: setting.boolean,
    default: 'true',
    description: 'false: cookies without Secure and with SameSite=Lax, for plain HTTP; only on a loopback address',
  },
  origins: {
    type: setting.list.pipe(z.array(origin)),
    default: '',
    description: 'Origins whose pages may use the sessions of their visitors, exact, comma-separated',
  },
  trustedProxies: {
    type: setting.list,
    default: '',
    description: 'Addresses or networks of reverse proxies whose X-Forwarded-For is believed, comma-separated',
  },
  frontendUrl: {
    type: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]),
    default: '',
    description: 'Frontend to put under the same origin: receives every GET that is not of the API; empty: none',
  },
  bodyBytesMax: {
    type: setting.integer(1_000, 10_000_000),
    default: '65536',
    description: 'Largest request body, submissions excepted, bytes',
  },
  submissionBytesMax: {
    type: setting.integer(1_000, 64_000_000),
    default: '62000000',
    description: 'Largest body of a submission, bytes',
  },
  resultsBytesMax: {
    type: setting.integer(1_000, 4_000_000_000),
    default: '512000000',
    description: 'Largest body of results, bytes; what is not a long list of numbers is bounded as a submission is',
  },
  resultNumbersMax: {
    type: setting.integer(1, 500_000_000),
    default: '20000000',
    description: 'Most numbers in long lists of results that a worker uploads at once; each takes 8 bytes of memory',
  },
  resultPagesMax: {
    type: setting.integer(1, 100_000),
    default: '1000',
    description: 'Largest number of pages of the results that a worker uploads at once; not above RESULTS_PAGES_MAX',
  },
  buffersBytesMax: {
    type: setting.integer(1_000_000, 100_000_000_000),
    default: '256000000',
    description: 'Largest sum of the request bodies that are held at the same time, bytes; over it: 503',
  },
  buffersStrangerBytesMax: {
    type: setting.integer(100_000, 100_000_000_000),
    default: '32000000',
    description:
      'Largest part of it for requests that have shown neither a session nor an update key, bytes; each of them holds at most GATEWAY_BODY_BYTES_MAX',
  },
  buffersAddressBytesMax: {
    type: setting.integer(1_000_000, 100_000_000_000),
    default: '192000000',
    description: 'Largest part of it for the requests from one address (IPv6: a /64), bytes; over it: 429',
  },
  jsonKeysMax: {
    type: setting.integer(1_000, 100_000_000),
    default: '250000',
    description: 'Most members that all objects of a body may have together',
  },
  jsonValuesMax: {
    type: setting.integer(1_000, 1_000_000_000),
    default: '1000000',
    description:
      'Most objects, lists and values in them that a body may have together; long lists of numbers of results do not count',
  },
  threadsMax: {
    type: setting.integer(1, 64),
    default: '1',
    description: 'Threads that read large uploads of workers, so that others do not wait for it',
  },
  threadTimeoutMs: {
    type: setting.integer(100, 600_000),
    default: '20000',
    description: 'How long a thread may read one upload, milliseconds',
  },
  threadHeapBytesMax: {
    type: setting.integer(16_000_000, 16_000_000_000),
    default: '384000000',
    description: 'Largest heap of such a thread, bytes',
  },
  headerBytesMax: {
    type: setting.integer(4_096, 1_000_000),
    default: '16384',
    description: 'Largest request line and headers together, bytes',
  },
  headersTimeoutMs: {
    type: setting.integer(500, 60_000),
    default: '10000',
    description: 'How long a client may take to send the request line and headers, milliseconds; over it: 408',
  },
  receiveRateBytesMin: {
    type: setting.integer(0, 100_000_000),
    default: '4096',
    description: 'Least rate at which a body must come after its first 5 seconds, bytes a second; below: 408',
  },
  receiveTimeoutMs: {
    type: setting.integer(1_000, 3_600_000),
    default: '120000',
    description: 'How long a client may take to send a request, milliseconds',
  },
  submitTimeoutMs: {
    type: setting.integer(1_000, 600_000),
    default: '60000',
    description: 'Time limit of a submission after it was received, milliseconds',
  },
  streamTimeoutMs: {
    type: setting.integer(1_000, 3_600_000),
    default: '600000',
    description: 'Time limit of an answer that is streamed (results, inputs, log files), milliseconds',
  },
  eventStreamsPerUserMax: {
    type: setting.integer(1, 10_000),
    default: '10',
    description: 'Largest number of streams of events that a user may have open at one copy of the gateway',
  },
  eventStreamsMax: {
    type: setting.integer(1, 100_000),
    default: '2000',
    description: 'Largest number of streams of events open at one copy of the gateway; over it: 503',
  },
  eventHeartbeatMs: {
    type: setting.integer(100, 300_000),
    default: '15000',
    description: 'A stream of events that is silent for this long sends a comment, milliseconds',
  },
} as const satisfies ConfigSchema;

export type GatewayConfig = ConfigOf<typeof gatewayConfigSchema>;

/**
 * Rules that bind several settings.
 * @throws ConfigError when cookies without Secure would leave the machine
 */
export function checkConfig(config: GatewayConfig): void {
  const [host] = splitAddress(config.listenAddress);
  if (config.cookieSecure || isLoopback(host)) return;
  const name = envName(CONFIG_PREFIX, 'cookieSecure');
  throw new ConfigError([`${name}=false is allowed only when the gateway listens on a loopback address, not ${host}`]);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
