import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from './signals/with-timeout.js';

export { Counter, Gauge, Histogram };

/** Metrics of one process; no domain word in it, services add their own to `registry`. */
export interface Metrics {
  readonly registry: Registry;
  /**
   * Duration of answered calls by method and status, seconds. kind: `stream` is one whose duration is up to the other
   * end, which sends or takes as slowly as it likes; else `call`.
   */
  readonly calls: Histogram<'method' | 'status' | 'kind'>;
}

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  const calls = new Histogram({
    name: 'tally_calls_seconds',
    help: 'Duration of answered calls; kind: stream is one that lasts as long as the other end sends or takes',
    labelNames: ['method', 'status', 'kind'] as const,
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const build = new Gauge({
    name: 'tally_build_info',
    help: 'Always 1: version of the release and of Node.js that run',
    labelNames: ['version', 'node'] as const,
    registers: [registry],
  });
  build.set({ version: readVersion(), node: process.versions.node }, 1);
  return { registry, calls };
}

/** Version in the kit's package.json, which is that of the release: one folder up from the source, two from the build. */
function readVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const { version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { version?: unknown };
      if (typeof version === 'string') return version;
    } catch {
      continue; // not there
    }
  }
  return 'unknown';
}

/** A gauge whose values are read when it is scraped. */
export interface ReadGauge<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  /** All numbers of now. */
  read(): Promise<readonly { readonly labels: Readonly<Record<Label, string>>; readonly value: number }[]>;
}

/** Prometheus gives up a whole scrape after 10 s; a gauge that takes longer than this is left out. */
const READ_TIMEOUT_MS = 3_000;

/** Adds a gauge that is read anew for each `GET /metrics`. One that cannot be read in 3 s is absent; the others are there. */
export function addReadGauge<Label extends string>(metrics: Metrics, gauge: ReadGauge<Label>): void {
  const { name, help, labelNames } = gauge;
  const registered = new Gauge({
    name,
    help,
    labelNames,
    registers: [],
    async collect() {
      const numbers = await withTimeout(gauge.read(), READ_TIMEOUT_MS, `${name} was not read in time`).catch(() => []);
      this.reset();
      for (const { labels, value } of numbers) this.set(labels, value);
    },
  });
  metrics.registry.registerMetric(registered);
}

/** Connections of a pool: all that are open, those that nobody uses, and who waits for one. */
export interface PoolCounts {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Adds what a service's pool of database connections does. */
export function addDatabaseMetrics(metrics: Metrics, database: { pool(): PoolCounts }): void {
  addReadGauge(metrics, {
    name: 'tally_database_connections',
    help: 'Connections to the database by state (open, idle), and work that waits for one (waiting)',
    labelNames: ['state'],
    read: async () => {
      const { open, idle, waiting } = database.pool();
      const counts = { open, idle, waiting };
      return Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }));
    },
  });
}

/** How often the event loop is asked for its delay, which is shown with this added; an idle service wakes as often. */
const EVENT_LOOP_PRECISION_MS = 50;

/** Serves `GET /metrics` on host:port, with what Node tells of its process; returns how to stop it. */
export async function serveMetrics(
  metrics: Metrics,
  address: string,
): Promise<{ port: number; stop(): Promise<void> }> {
  collectDefaultMetrics({ register: metrics.registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  const [host, port] = splitAddress(address);
  const server = createServer((req, res) => {
    if (req.url !== '/metrics') return res.writeHead(404).end();
    metrics.registry.metrics().then(
      (text) => res.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => res.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** `host:port` → its parts as sockets take them: an IPv6 address stands in brackets before a port, and without them alone. */
export function splitAddress(address: string): [host: string, port: number] {
  const at = address.lastIndexOf(':');
  return [address.slice(0, at).replace(/^\[(.*)\]$/, '$1'), Number(address.slice(at + 1))];
}
