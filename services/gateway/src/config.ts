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

/**
 * Settings of the gateway: where the services are, sessions and cookies, origins, sizes that follow the machine. Bounds that no site
 * needs otherwise are in bounds.ts, or beside their use.
 */
export const gatewayConfigSchema = {
  ...commonKeys,
  ...callerKeys,
  listenAddress: { type: setting.address, default: '127.0.0.1:0', description: 'host:port of the HTTP server' },
  authAddress: { type: setting.nonEmpty, description: 'host:port (or gRPC target) of auth' },
  jobsAddress: { type: setting.nonEmpty, description: 'host:port (or gRPC target) of jobs' },
  resultsAddress: { type: setting.nonEmpty, description: 'host:port (or gRPC target) of results' },
  batchBridgeAddress: {
    type: setting.text,
    default: '',
    description: 'host:port (or gRPC target) of batch-bridge; empty: this deployment has no batch platform',
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
  templatesDir: {
    type: z.string(),
    default: '',
    description:
      'Folder with templates of the site, a folder each, read at the start: everybody who reaches the gateway may read them; empty: none',
  },
  shareLinksWithoutAccount: {
    type: setting.boolean,
    default: 'false',
    description:
      'Whether a share link opens what it shares to people who are not signed in; false: the link asks them to sign in',
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
  buffersBytesMax: {
    type: setting.integer(1_000_000, 100_000_000_000),
    default: '256000000',
    description:
      'Memory for the request bodies that are held at the same time, bytes; over it: 503. Three quarters of it for one address, an eighth for requests without a session or key',
  },
  threadsMax: {
    type: setting.integer(1, 64),
    default: '1',
    description: 'Threads that read large uploads of workers, so that others do not wait for it',
  },
  receiveTimeoutMs: {
    type: setting.integer(1_000, 3_600_000),
    default: '120000',
    description: 'How long a client may take to send a request, milliseconds',
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
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
