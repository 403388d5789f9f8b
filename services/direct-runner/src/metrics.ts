import { Gauge, Histogram, type Metrics } from '@tally/service-kit';
import type { Meter } from './worker/meter.js';

/** Adds what is worth watching of a runner; what is returned runs a task and counts it. */
export function addRunnerMetrics(metrics: Metrics, slots: number): Meter {
  const registers = [metrics.registry];
  const help = 'Tasks it runs at once; of a runner that drains, those it still runs';
  const all = new Gauge({ name: 'tally_runner_slots', help, registers });
  const busy = new Gauge({ name: 'tally_runner_slots_busy', help: 'Those that work now', registers });
  const work = new Histogram({
    name: 'tally_runner_work_seconds',
    help: 'From the claim of a task to its reported end',
    buckets: [1, 10, 60, 600, 3_600, 21_600, 86_400],
    registers,
  });
  let running = 0;
  let isDraining = false;
  const show = () => {
    all.set(isDraining ? running : slots);
    busy.set(running);
  };
  show();
  return {
    async busy(run) {
      running++;
      show();
      try {
        return await run();
      } finally {
        running--;
        show();
      }
    },
    begin: () => work.startTimer(),
    drain() {
      isDraining = true;
      show();
    },
  };
}
