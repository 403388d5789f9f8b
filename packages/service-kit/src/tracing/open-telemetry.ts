import type { Agent } from 'node:http';
import {
  DiagLogLevel,
  diag,
  SpanKind as OtelKind,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../logger.js';
import type { SpanKind, StartSpan } from './tracing.js';

const KINDS: Readonly<Record<SpanKind, OtelKind>> = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
  internal: OtelKind.INTERNAL,
};

/**
 * Sends spans over OTLP (HTTP, protobuf) as the `OTEL_*` variables say: where to, headers, sampler, limits, attributes of
 * the resource. Its `service.name` is the service unless `OTEL_SERVICE_NAME` is set. Loaded only when traces are wanted.
 * @param agent - how their receiver is reached, if not at once
 */
export function openTelemetry(
  service: string,
  logger: Logger,
  agent: Agent | undefined,
): { startSpan: StartSpan; stop(): Promise<void> } {
  const log = (level: 'warn' | 'error' | 'debug') => (message: string) =>
    logger[level]({ reason: message }, 'traces: a message of OpenTelemetry');
  const quiet = log('debug');
  const own = { error: log('error'), warn: log('warn'), info: quiet, debug: quiet, verbose: quiet };
  diag.setLogger(own, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service, 'service.namespace': 'tally' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(agent && { httpAgentOptions: () => agent }))],
  });
  const tracer = provider.getTracer('@tally/service-kit');
  return {
    startSpan(name, kind, parent, attributes = {}) {
      const above = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parse(parent));
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, above);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end(more = {}, err) {
          span.setAttributes(more);
          if (err !== undefined) {
            const message = err instanceof Error ? err.message : JSON.stringify(err);
            span.setStatus({ code: SpanStatusCode.ERROR, message });
          }
          span.end();
        },
      };
    },
    stop: () => provider.shutdown(),
  };
}

function parse(traceparent: string) {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}
