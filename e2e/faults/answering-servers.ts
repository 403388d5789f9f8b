import {
  type AmqpProxy,
  type AnsweringProxy,
  createTestBroker,
  freePort,
  type ObjectStoreServer,
  startAmqpProxy,
  startAnsweringProxy,
  startObjectStore,
} from '@tally/testkit';
import { type BatchSuite, startBatchSuite } from '../fixtures/batch-fixture.js';
import { messagesLeft } from './leftovers.js';

/** The suite with a cluster, and with servers of which each answer may be another one. */
export interface AnsweringServers {
  readonly suite: BatchSuite;
  /** Before the identity provider. */
  readonly realm: AnsweringProxy;
  /** Undefined: none can be built here. */
  readonly objectStore: { readonly server: ObjectStoreServer; readonly proxy: AnsweringProxy } | undefined;
  readonly broker: AmqpProxy;
  /** Those that are left in the queues. */
  readonly messages: () => Promise<string[]>;
  stop(): Promise<void>;
}

/** Everything lies in the object store, and an upload that has not ended is soon given up. */
const RESULTS_BOUNDS = { rowBytesMax: 1_000, uploadTimeoutMs: 20_000, objectStoreSweepMs: 1_000 };
/** The realm is asked often. */
const AUTH_BOUNDS = { ssoKeysMaxAgeMs: 500, ssoKeysIntervalMinMs: 500 };

export interface AnsweringOptions {
  /** Settings of the runner, beside its slots. */
  readonly runner?: Readonly<Record<string, string>>;
  /** Whether the cluster leaves the processors to the services, as one on other machines does. */
  readonly clusterYields?: boolean;
}

export async function startAnsweringServers(options: AnsweringOptions = {}): Promise<AnsweringServers> {
  const { runner, clusterYields = false } = options;
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  const started = <T>(part: T, end: (part: T) => Promise<unknown>): T => {
    stops.push(() => end(part));
    return part;
  };
  try {
    const realmPort = await freePort();
    const realm = started(await startAnsweringProxy(`127.0.0.1:${realmPort}`), (proxy) => proxy.stop());
    const objectStore = await startStore(started);
    const { url } = await createTestBroker();
    const queueUrl = new URL(url);
    const broker = started(await startAmqpProxy(queueUrl.host), (proxy) => proxy.close());
    queueUrl.host = broker.address;
    const suite = started(
      await startBatchSuite({
        cluster: { nodes: 2, cpusPerNode: 4, yieldsProcessors: clusterYields },
        realm: { port: realmPort, issuer: realm.url },
        suite: {
          queueUrl: queueUrl.href,
          bounds: { auth: AUTH_BOUNDS, results: RESULTS_BOUNDS },
          env: {
            'direct-runner': { RUNNER_SLOTS: '2', ...runner },
            ...(objectStore && { results: settingsOf(objectStore) }),
          },
        },
      }),
      (running) => running.stop(),
    );
    const prefix = queueUrl.searchParams.get('queue_prefix') ?? '';
    return { suite, realm, objectStore, broker, messages: () => messagesLeft(url, prefix), stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

async function startStore(started: <T>(part: T, end: (part: T) => Promise<unknown>) => T) {
  const server = await startObjectStore((line) => process.stdout.write(`${line}\n`));
  if (server === undefined) return undefined;
  started(server, () => server.stop());
  const { host } = new URL(server.url);
  return { server, proxy: started(await startAnsweringProxy(host), (proxy) => proxy.stop()) };
}

const settingsOf = ({ server, proxy }: NonNullable<AnsweringServers['objectStore']>) => ({
  RESULTS_OBJECT_STORE_URL: `${proxy.url}${new URL(server.url).pathname}`,
  RESULTS_OBJECT_STORE_ACCESS_KEY: server.accessKey,
  RESULTS_OBJECT_STORE_SECRET_KEY: server.secretKey,
});
