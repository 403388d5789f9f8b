import { addReadGauge, type Metrics } from '@tally/service-kit';

/** Adds what is worth watching of the gateway. */
export function addGatewayMetrics(metrics: Metrics, eventStreams: { readonly openCount: number }): void {
  addReadGauge(metrics, {
    name: 'tally_event_streams_open',
    help: 'Streams of events that clients follow now; they are not among the durations of calls',
    labelNames: [],
    read: async () => [{ labels: {}, value: eventStreams.openCount }],
  });
}
