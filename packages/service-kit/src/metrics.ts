import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram };

/** Metrics of one process; no domain word in it, services add their own to `registry`. */
export interface Metrics {
  readonly registry: Registry;
  /** Duration of answered calls by method and status, seconds. */
  readonly calls: Histogram<'method' | 'status'>;
}

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  const calls = new Histogram({
    name: 'tally_calls_seconds',
    help: 'Duration of answered calls',
    labelNames: ['method', 'status'] as const,
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  return { registry, calls };
}

/** A gauge whose values are read when it is scraped. */
export interface ReadGauge<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  /** All numbers of now. */
  read(): Promise<readonly { readonly labels: Readonly<Record<Label, string>>; readonly value: number }[]>;
}

/** Adds a gauge that is read anew for each `GET /metrics`. One that cannot be read is absent; the others are there. */
export function addReadGauge<Label extends string>(metrics: Metrics, gauge: ReadGauge<Label>): void {
  const { name, help, labelNames } = gauge;
  const registered = new Gauge({
    name,
    help,
    labelNames,
    registers: [],
    async collect() {
      const numbers = await gauge.read().catch(() => []);
      this.reset();
      for (const { labels, value } of numbers) this.set(labels, value);
    },
  });
  metrics.registry.registerMetric(registered);
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

/** `host:port` → its parts. */
export function splitAddress(address: string): [host: string, port: number] {
  const at = address.lastIndexOf(':');
  return [address.slice(0, at), Number(address.slice(at + 1))];
}
