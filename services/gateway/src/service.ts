import {
  addLoop,
  builtProgram,
  type Clock,
  type Lifecycle,
  type Logger,
  logListening,
  Readiness,
  type Running,
  startMetrics,
  startParts,
  systemClock,
  ThreadPool,
} from '@tally/service-kit';
import { ApiTokens } from './clients/api-tokens.js';
import { EndedSessions } from './clients/ended-sessions.js';
import { JobEvents } from './clients/job-events.js';
import { closeServiceClients, createServiceClients, type ServiceClients } from './clients/services.js';
import { SigningKeys } from './clients/signing-keys.js';
import { createTaskUpdates } from './clients/task-updates.js';
import { createGetVersion } from './clients/versions.js';
import { checkConfig, type GatewayConfig } from './config.js';
import { EventStreams } from './http/answer/event-streams.js';
import { createKnownAnswers } from './http/answer/known-answers.js';
import { createApp } from './http/app.js';
import { createFrontend } from './http/frontend.js';
import { createDocument } from './http/openapi/document.js';
import { EXAMPLES } from './http/openapi/examples.js';
import { toOpenApiFile } from './http/openapi/open-api-file.js';
import { BodyBudget } from './http/request/body-budget.js';
import { JSON_DEPTH_MAX } from './http/request/json-scanner.js';
import type { PublishedLimits } from './http/route.js';
import { ROUTES } from './http/routes/index.js';
import { startHttpServer } from './http/server.js';
import { AuthHook } from './http/session/auth-hook.js';
import { CookieWriter } from './http/session/cookies.js';
import { createUploadReader } from './http/upload/upload-reader.js';
import { readVersion } from './http/version.js';
import { addGatewayMetrics } from './metrics.js';

/**
 * Starts the gateway. It does not wait for the services: until auth has answered, sessions get 503.
 * @throws ConfigError when the settings contradict each other
 */
export async function startGateway(
  config: GatewayConfig,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running & { readonly port: number }> {
  checkConfig(config);
  return startParts(logger, config.graceMs, async (lifecycle) => {
    const metrics = await startMetrics(lifecycle, 'gateway', config.metricsAddress);
    const clients = createServiceClients(config);
    lifecycle.add('clients', () => closeServiceClients(clients));
    const { keys, ended } = startSessionRefresh(clients, config, lifecycle, clock);
    const readiness = new Readiness({
      auth: () => clients.auth.checkReady(),
      jobs: () => clients.jobs.checkReady(),
      results: () => clients.results.checkReady(),
      'batch-bridge': () => clients.batchBridge.checkReady(),
    });
    const eventStreams = new EventStreams(config);
    const jobEvents = new JobEvents((afterId, signal) =>
      clients.jobs.watchJobEvents({ afterId }, { signal, timeoutMs: config.streamTimeoutMs }),
    );
    const threads = startThreads(config, lifecycle);
    addGatewayMetrics(metrics, eventStreams);
    const authHook = new AuthHook({
      issuer: config.tokenIssuer,
      audience: config.tokenAudience,
      verifiedTokensMax: config.verifiedTokensMax,
      outageMaxMs: config.authOutageMaxMs,
      origins: config.origins,
      keys,
      ended,
      apiTokens: new ApiTokens((text) => clients.auth.getApiTokenOwner({ text }, { timeoutMs: REFRESH_TIMEOUT_MS }), {
        rememberedMax: config.verifiedTokensMax,
        clock,
      }),
      clock,
    });
    const app = createApp({
      routes: ROUTES,
      services: {
        ...clients,
        ended,
        eventStreams,
        jobEvents,
        updateTask: createTaskUpdates(clients.jobs),
        getVersion: createGetVersion(clients.jobs),
        isSessionAlive: (session) => authHook.isAlive(session),
        knownAnswers: createKnownAnswers(config.statusesBytesMax),
        cookies: new CookieWriter(config.cookieSecure),
        uploads: createUploadReader(threads),
        limits: publishedLimits(config),
        version: readVersion(),
        openApi: toOpenApiFile(createDocument(ROUTES, readVersion(), EXAMPLES)),
        readiness,
      },
      authHook,
      bodies: createBodyBudget(config),
      receiveRateBytesMin: config.receiveRateBytesMin,
      ...(config.frontendUrl === ''
        ? {}
        : { frontend: createFrontend({ url: config.frontendUrl, timeoutMs: config.callTimeoutMs }) }),
      trustedProxies: config.trustedProxies,
      logger,
      metrics,
    });
    const { headerBytesMax, headersTimeoutMs, receiveTimeoutMs, graceMs, listenAddress } = config;
    const receiving = { headerBytesMax, headersTimeoutMs, receiveTimeoutMs };
    const server = await lifecycle.start('HTTP server', listenAddress, () =>
      startHttpServer({ address: listenAddress, app, ...receiving, graceMs }),
    );
    lifecycle.add('HTTP server', () => server.stop());
    lifecycle.add('event streams', () => eventStreams.endAll());
    lifecycle.add('readiness', () => readiness.close());
    readiness.open();
    logListening(lifecycle, listenAddress, server.port);
    return { port: server.port };
  });
}

/** Uploads that may wait for a thread. */
const THREADS_WAITING_MAX = 16;

function startThreads(config: GatewayConfig, lifecycle: Lifecycle): ThreadPool {
  const { threadsMax, threadTimeoutMs: timeLimitMs, threadHeapBytesMax: heapBytesMax } = config;
  const program = builtProgram(import.meta.url, './http/upload/read-thread.js');
  const threads = new ThreadPool({ program, threadsMax, waitingMax: THREADS_WAITING_MAX, timeLimitMs, heapBytesMax });
  lifecycle.add('threads', () => threads.stop());
  return threads;
}

/** Time limit of a call of auth for keys or sessions: its answer is small, and requests may wait for it. */
const REFRESH_TIMEOUT_MS = 2_000;

function createBodyBudget(config: GatewayConfig): BodyBudget {
  const { buffersBytesMax, buffersStrangerBytesMax, buffersAddressBytesMax } = config;
  return new BodyBudget({
    bytesMax: buffersBytesMax,
    strangerBytesMax: buffersStrangerBytesMax,
    addressBytesMax: buffersAddressBytesMax,
  });
}

/** What is needed to verify access tokens without a call, refreshed in the background. */
function startSessionRefresh(clients: ServiceClients, config: GatewayConfig, lifecycle: Lifecycle, clock: Clock) {
  const { logger } = lifecycle;
  const { signingKeysRefreshMinMs: refreshMinMs, signingKeysRefreshMs, endedSessionsRefreshMs } = config;
  const call = { timeoutMs: REFRESH_TIMEOUT_MS };
  const keys = new SigningKeys(() => clients.auth.listSigningKeys({}, call), { refreshMinMs, clock, logger });
  const ended = new EndedSessions(() => clients.auth.listEndedSessions({}, call), { clock, logger });
  const keysIntervalMs = () => (keys.isLoaded ? signingKeysRefreshMs : endedSessionsRefreshMs);
  addLoop(lifecycle, { name: 'signing keys', intervalMs: keysIntervalMs, clock }, () => keys.refresh());
  addLoop(lifecycle, { name: 'ended sessions', intervalMs: endedSessionsRefreshMs, clock }, () => ended.refresh());
  return { keys, ended };
}

function publishedLimits(config: GatewayConfig): PublishedLimits {
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
    receive_rate_bytes_min: config.receiveRateBytesMin,
    call_timeout_ms: config.callTimeoutMs,
    submit_timeout_ms: config.submitTimeoutMs,
    stream_timeout_ms: config.streamTimeoutMs,
    event_streams_per_user_max: config.eventStreamsPerUserMax,
    event_heartbeat_ms: config.eventHeartbeatMs,
  };
}
