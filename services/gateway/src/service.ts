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
import { BOUNDS, type GatewayBounds } from './bounds.js';
import { inNameOf, JobEvents } from './clients/job-events.js';
import { closeServiceClients, createServiceClients, type ServiceClients } from './clients/services.js';
import { checkConfig, type GatewayConfig } from './config.js';
import { EventStreams } from './http/answer/event-streams.js';
import { createDocument } from './http/openapi/document.js';
import { EXAMPLES } from './http/openapi/examples.js';
import { toOpenApiFile } from './http/openapi/open-api-file.js';
import { warmUpSchemas } from './http/openapi/warm-up.js';
import { BodyBudget } from './http/request/body-budget.js';
import { ROUTES } from './http/routes/index.js';
import { createApp } from './http/server/app.js';
import { createFrontend } from './http/server/frontend.js';
import { publishedLimits } from './http/server/limits.js';
import { startHttpServer } from './http/server/server.js';
import { ApiTokens } from './http/session/api-tokens.js';
import { AuthHook } from './http/session/auth-hook.js';
import { CookieWriter } from './http/session/cookies.js';
import { EndedSessions } from './http/session/ended-sessions.js';
import { ShareLinks } from './http/session/share-links.js';
import { SigningKeys } from './http/session/signing-keys.js';
import { UserGroups } from './http/session/user-groups.js';
import { loadTemplates } from './http/templates/template-library.js';
import { createUploadReader } from './http/upload/upload-reader.js';
import { readVersion } from './http/version.js';
import { addGatewayMetrics } from './metrics.js';

/** How often the signing keys are fetched, milliseconds: a new one also as soon as a token names it. */
const SIGNING_KEYS_REFRESH_MS = 60_000;

/**
 * Starts the gateway. It does not wait for the services: until auth has answered, sessions get 503.
 * @throws ConfigError when the settings contradict each other
 */
export async function startGateway(
  options: GatewayConfig & Partial<GatewayBounds>,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running & { readonly port: number }> {
  checkConfig(options);
  const config: GatewayConfig & GatewayBounds = { ...BOUNDS, ...options };
  return startParts(logger, config.graceMs, async (lifecycle) => {
    const metrics = await startMetrics(lifecycle, 'gateway', config.metricsAddress);
    const clients = createServiceClients(config);
    lifecycle.add('clients', () => closeServiceClients(clients));
    const { keys, ended, userGroups } = startSessionRefresh(clients, config, lifecycle, clock);
    const { batchBridge } = clients;
    const readiness = new Readiness(
      {
        auth: () => clients.auth.checkReady(),
        jobs: () => clients.jobs.checkReady(),
        results: () => clients.results.checkReady(),
        ...(batchBridge === undefined ? {} : { 'batch-bridge': () => batchBridge.checkReady() }),
      },
      logger,
    );
    const eventStreams = new EventStreams(config);
    const jobEvents = new JobEvents((userId, afterId, signal) =>
      inNameOf(userId, () => clients.jobs.watchJobEvents({ afterId }, { signal, timeoutMs: config.streamTimeoutMs })),
    );
    const threads = startThreads(config, lifecycle);
    addGatewayMetrics(metrics, eventStreams);
    const authHook = new AuthHook({
      outageMaxMs: config.authOutageMaxMs,
      origins: config.origins,
      keys,
      ended,
      apiTokens: new ApiTokens(
        (text) => clients.auth.getApiTokenOwner({ text }, { timeoutMs: REFRESH_TIMEOUT_MS }),
        clock,
      ),
      clock,
    });
    const app = createApp({
      routes: ROUTES,
      services: {
        ...clients,
        ended,
        userGroups,
        shareLinks: new ShareLinks(config.shareLinksWithoutAccount, clock),
        eventStreams,
        jobEvents,
        isSessionAlive: (session) => authHook.isAlive(session),
        cookies: new CookieWriter(config.cookieSecure),
        uploads: createUploadReader(threads),
        limits: publishedLimits(config),
        templates: loadTemplates(config.templatesDir, logger),
        version: readVersion(),
        openApi: toOpenApiFile(createDocument(ROUTES, readVersion(), EXAMPLES)),
        readiness,
      },
      authHook,
      bodies: createBodyBudget(config),
      ...(config.frontendUrl === ''
        ? {}
        : { frontend: createFrontend({ url: config.frontendUrl, timeoutMs: config.callTimeoutMs }) }),
      trustedProxies: config.trustedProxies,
      logger,
      metrics,
    });
    const { headerBytesMax, headersTimeoutMs, receiveTimeoutMs, graceMs, listenAddress } = config;
    const receiving = { headerBytesMax, headersTimeoutMs, receiveTimeoutMs };
    warmUpSchemas(ROUTES, EXAMPLES);
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
/** How long a thread may read one upload, milliseconds: the largest takes a few seconds on a machine that does nothing else. */
const THREAD_TIME_LIMIT_MS = 20_000;
/** Largest heap of a thread, bytes: what the largest upload that is read by one becomes. */
const THREAD_HEAP_BYTES_MAX = 384_000_000;

function startThreads({ threadsMax }: GatewayConfig, lifecycle: Lifecycle): ThreadPool {
  const threads = new ThreadPool({
    program: builtProgram(import.meta.url, './http/upload/read-thread.js'),
    threadsMax,
    waitingMax: THREADS_WAITING_MAX,
    timeLimitMs: THREAD_TIME_LIMIT_MS,
    heapBytesMax: THREAD_HEAP_BYTES_MAX,
  });
  lifecycle.add('threads', () => threads.stop());
  return threads;
}

/** Time limit of a call of auth for keys or sessions: its answer is small, and requests may wait for it. */
const REFRESH_TIMEOUT_MS = 2_000;

/** Parts of the memory for bodies: strangers leave most of it to users, and one address cannot take all of it. */
const [STRANGER_SHARE, ADDRESS_SHARE] = [1 / 8, 3 / 4];

function createBodyBudget({ buffersBytesMax }: GatewayConfig): BodyBudget {
  return new BodyBudget({
    bytesMax: buffersBytesMax,
    strangerBytesMax: buffersBytesMax * STRANGER_SHARE,
    addressBytesMax: buffersBytesMax * ADDRESS_SHARE,
  });
}

/** What is needed to verify access tokens without a call, refreshed in the background. */
function startSessionRefresh(clients: ServiceClients, config: GatewayBounds, lifecycle: Lifecycle, clock: Clock) {
  const { logger } = lifecycle;
  const { signingKeysRefreshMinMs: refreshMinMs, endedSessionsRefreshMs } = config;
  const call = { timeoutMs: REFRESH_TIMEOUT_MS };
  const keys = new SigningKeys(() => clients.auth.listSigningKeys({}, call), { refreshMinMs, clock, logger });
  const ended = new EndedSessions(() => clients.auth.listEndedSessions({}, call), { clock, logger });
  const keysIntervalMs = () => (keys.isLoaded ? SIGNING_KEYS_REFRESH_MS : endedSessionsRefreshMs);
  addLoop(lifecycle, { name: 'signing keys', intervalMs: keysIntervalMs, clock }, () => keys.refresh());
  addLoop(lifecycle, { name: 'ended sessions', intervalMs: endedSessionsRefreshMs, clock }, () => ended.refresh());
  const fetchGroups = () => clients.auth.listGroups({}, call);
  const userGroups = new UserGroups({ fetchGroups, version: () => ended.membershipsVersion, logger });
  return { keys, ended, userGroups };
}
