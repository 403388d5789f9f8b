import { spawn } from 'node:child_process';
import { freePort } from '../process/free-port.js';
import { waitFor } from '../wait-for.js';
import { provideGoProgram } from './go-programs.js';

/** A span that the collector has received. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: it has none. */
  readonly parentId: string;
  /** Names of its attributes, with their values as text. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** A running OpenTelemetry Collector. */
export interface TraceCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string;
  spans(): readonly CollectedSpan[];
  stop(): Promise<void>;
}

const COLLECTOR = { module: 'collector', package: '.' };

/** Starts a collector on free ports. Undefined, with a line that says why: there is none here. */
export async function startTraceCollector(log: (line: string) => void): Promise<TraceCollector | undefined> {
  const provided = await provideGoProgram(COLLECTOR);
  if ('reason' in provided) {
    log(`no OpenTelemetry Collector, and tests that send to it are skipped: ${provided.reason}`);
    return undefined;
  }
  const address = `127.0.0.1:${await freePort()}`;
  const settings = [
    `receivers::otlp::protocols::http::endpoint: "${address}"`,
    'exporters::debug::verbosity: detailed',
    'exporters::debug::use_internal_logger: false',
    'service::pipelines::traces::receivers: [otlp]',
    'service::pipelines::traces::exporters: [debug]',
    'service::telemetry::metrics::level: none',
  ];
  const args = settings.flatMap((setting) => ['--config', `yaml:${setting}`]);
  const child = spawn(provided.program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let printed = '';
  let messages = '';
  child.stdout.on('data', (part: Buffer) => {
    printed += part.toString();
  });
  child.stderr.on('data', (part: Buffer) => {
    messages += part.toString();
  });
  const started = () => child.exitCode !== null || messages.includes('Everything is ready');
  await waitFor(started, { what: 'the collector' });
  if (child.exitCode !== null) throw new Error(`the collector ended: ${messages}`);
  return {
    endpoint: `http://${address}`,
    spans: () => readSpans(printed),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const SERVICE = /^ +-> service\.name: Str\((.*)\)$/;
const FIELD = /^ {4}(Trace ID|Parent ID|ID|Name|Kind) +: (.*)$/;
const ATTRIBUTE = /^ {5}-> ([\w.]+): \w+\((.*)\)$/;

/** What the debug exporter prints. */
function readSpans(printed: string): readonly CollectedSpan[] {
  const spans: (CollectedSpan & { attributes: Map<string, string> })[] = [];
  let service = '';
  for (const block of printed.split(/(?=^ResourceSpans #|^Span #)/m)) {
    const lines = block.split('\n');
    for (const line of lines) service = SERVICE.exec(line)?.[1] ?? service;
    if (!block.startsWith('Span #')) continue;
    const fields = new Map<string, string>();
    const attributes = new Map<string, string>();
    for (const line of lines) {
      const [, name, value] = FIELD.exec(line) ?? [];
      if (name !== undefined && value !== undefined) fields.set(name, value.trim());
      const [, attribute, text] = ATTRIBUTE.exec(line) ?? [];
      if (attribute !== undefined && text !== undefined) attributes.set(attribute, text);
    }
    const field = (name: string) => fields.get(name) ?? '';
    const ids = { traceId: field('Trace ID'), spanId: field('ID'), parentId: field('Parent ID') };
    spans.push({ service, name: field('Name'), kind: field('Kind'), ...ids, attributes });
  }
  return spans;
}
