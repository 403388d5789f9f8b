import { addReadGauge, type Metrics } from '@tally/service-kit';

export interface StoredBytes {
  /** input, output, result or log. */
  readonly kind: string;
  readonly bytes: number;
}

/** Adds what is worth watching of results. */
export function addResultsMetrics(metrics: Metrics, readStoredBytes: () => Promise<readonly StoredBytes[]>): void {
  addReadGauge(metrics, {
    name: 'tally_results_stored_bytes',
    help: 'Disk taken in the database: inputs, outputs of tasks, final results, logs',
    labelNames: ['kind'],
    read: async () => (await readStoredBytes()).map(({ kind, bytes: value }) => ({ labels: { kind }, value })),
  });
}
