import { Gauge, Histogram, type Metrics } from '@tally/service-kit';
import type { Meter } from './worker/meter.js';

/** Adds what is worth watching of a runner; what is returned runs a piece of work and counts it. */
export function addRunnerMetrics(metrics: Metrics, slots: Readonly<Record<'task' | 'merge', number>>): Meter {
  const registers = [metrics.registry];
  const labelNames = ['kind'] as const;
  const all = new Gauge({
    name: 'tally_runner_slots',
    help: 'Tasks and merges it runs at once; of a runner that drains, those it still runs',
    labelNames,
    registers,
  });
  const busy = new Gauge({ name: 'tally_runner_slots_busy', help: 'Those that work now', labelNames, registers });
  const work = new Histogram({
    name: 'tally_runner_work_seconds',
    help: 'From the claim of a task or merge to its reported end',
    labelNames,
    buckets: [1, 10, 60, 600, 3_600, 21_600, 86_400],
    registers,
  });
  const running = { task: 0, merge: 0 };
  let isDraining = false;
  const show = (kind: 'task' | 'merge') => {
    all.set({ kind }, isDraining ? running[kind] : slots[kind]);
    busy.set({ kind }, running[kind]);
  };
  for (const kind of ['task', 'merge'] as const) show(kind);
  return {
    async busy(kind, run) {
      running[kind]++;
      show(kind);
      try {
        return await run();
      } finally {
        running[kind]--;
        show(kind);
      }
    },
    begin: (kind) => work.startTimer({ kind }),
    drain() {
      isDraining = true;
      for (const kind of ['task', 'merge'] as const) show(kind);
    },
  };
}
