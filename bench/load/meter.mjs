// Runs a load and says what an operation took: rate, durations, processor time and memory by process.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, encodeRequest } from './connection.mjs';
import { describeDurations, median, rounded } from './statistics.mjs';
import { WARM_UP_WINDOW_MS, warmUp } from './warm-up.mjs';

/** A machine counts as quiet while others take fewer cores than this for a second. */
const QUIET_CORES = 0.15;
const QUIET_WAIT_MS = 90_000;
/** A run in which others took more is repeated, and the quietest runs are kept. */
const DISTURBED_CORES = 0.2;
const RETRY_PAUSE_MS = 5;

const disturbance = ({ foreignCores, stolenCores }) => foreignCores + stolenCores;
const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));

export class Meter {
  /** Every load so far by name. */
  loads = {};

  /**
   * @param processes - ProcessGroup that does the work
   * @param settings - `seconds` of a run, `repeats`, `attempts`, `waitsForQuiet`
   * @param onLoad - hears the name and record of each load when it ends
   */
  constructor(processes, settings, onLoad) {
    Object.assign(this, { processes, settings, onLoad });
  }

  /**
   * Requests one after the other on each of `connections`, for a time.
   * @param next - from a running number to the encoded request, or the one request (`encodeRequest`) of all
   */
  async rate(name, baseUrl, { connections, next }) {
    const { seconds, repeats, attempts } = this.settings;
    const request = typeof next === 'function' ? next : () => encodedNext;
    const encodedNext = typeof next === 'function' ? undefined : encodeRequest(baseUrl, next);
    const loop = (ms) => runLoop({ baseUrl, connections, ms, next: request });
    await warmUp(this.processes, async () => (await loop(WARM_UP_WINDOW_MS)).units);
    return this.#record(name, 'rate', await this.#repeat(() => loop(1000 * seconds), repeats, attempts));
  }

  /**
   * Operations one after the other.
   * @param prepare - makes what one of them needs, before any is measured
   * @param run - one operation; resolves to its duration in ms, or to `{ms, status, bytes}`
   */
  async each(name, { count, prepare = async () => undefined, run }) {
    const items = [];
    for (let i = 0; i < count; i++) items.push(await prepare(i));
    const work = async () => {
      const tally = newTally();
      for (const item of items) {
        const outcome = await run(item);
        take(tally, typeof outcome === 'number' ? { ms: outcome } : outcome);
      }
      return tally;
    };
    return this.#record(name, 'p50Ms', await this.#repeat(work, 1, 1));
  }

  /** Work of the caller's that is done in units: resolves to `{units}`; repeated as rates are. */
  async work(name, work) {
    const { repeats, attempts } = this.settings;
    await warmUp(this.processes, async () => (await work()).units);
    const runs = await this.#repeat(async () => ({ ...newTally(), ...(await work()) }), repeats, attempts);
    return this.#record(name, 'rate', runs);
  }

  /** Adds a record that was measured otherwise; `shows` names the member that the load is about. */
  async note(name, record) {
    this.loads[name] = record;
    await this.onLoad(name, record);
    return record;
  }

  /** Observes runs until enough of them were not disturbed; the quietest. */
  async #repeat(work, repeats, attempts) {
    const runs = [];
    let calmCount = 0;
    while (runs.length < attempts && calmCount < repeats) {
      await this.waitForQuiet();
      const run = await this.#observe(work);
      runs.push(run);
      if (!this.settings.waitsForQuiet || disturbance(run.used) <= DISTURBED_CORES) calmCount += 1;
    }
    return runs.sort((a, b) => disturbance(a.used) - disturbance(b.used)).slice(0, repeats);
  }

  async #observe(work) {
    const { processes } = this;
    processes.resetPeaks();
    const before = processes.now();
    const tally = await work();
    return { ...tally, used: processes.since(before), memory: processes.memory() };
  }

  async #record(name, shows, runs) {
    const middle = (read) => rounded(median(runs.map(read)));
    const [first] = runs;
    const units = (run) => Math.max(1, run.units);
    const durations = runs.map((run) => describeDurations(run.durations));
    return this.note(name, {
      shows,
      count: runs.reduce((total, run) => total + run.units, 0),
      rate: middle((run) => run.units / run.used.wall),
      p50Ms: rounded(median(durations.map(({ p50Ms }) => p50Ms))),
      maxMs: rounded(Math.max(...durations.map(({ maxMs }) => maxMs))),
      cpuMs: middle((run) => (1000 * run.used.total) / units(run)),
      cpuMsByService: mapValues(first.used.byName, (_, key) =>
        middle((run) => (1000 * run.used.byName[key]) / units(run)),
      ),
      peakMiB: mapValues(first.memory, (_, key) => Math.max(...runs.map((run) => run.memory[key].peak))),
      errors: addUp(runs.map((run) => run.errors)),
      disturbedCores: rounded(Math.max(...runs.map((run) => disturbance(run.used)))),
    });
  }

  /** Waits until others leave the machine alone for a second, or for long enough. */
  async waitForQuiet() {
    const deadline = performance.now() + QUIET_WAIT_MS;
    while (this.settings.waitsForQuiet && performance.now() < deadline) {
      const before = this.processes.now();
      await sleep(1_000);
      if (disturbance(this.processes.since(before)) < QUIET_CORES) return;
    }
  }
}

function addUp(objects) {
  const total = {};
  for (const object of objects)
    for (const [key, value] of Object.entries(object)) total[key] = (total[key] ?? 0) + value;
  return total;
}

const newTally = () => ({ units: 0, durations: [], errors: {} });

/** Only what succeeds is counted and timed. */
function take(tally, { ms, status = 200, error = status >= 300 ? `status ${status}` : undefined }) {
  if (error !== undefined) {
    tally.errors[error] = (tally.errors[error] ?? 0) + 1;
    return;
  }
  tally.units += 1;
  tally.durations.push(ms);
}

async function runLoop({ baseUrl, connections, ms, next }) {
  const tally = newTally();
  const until = performance.now() + ms;
  let sent = 0;
  const loop = async () => {
    const connection = new Connection(baseUrl);
    while (performance.now() < until) {
      const startedAt = performance.now();
      try {
        const { status } = await connection.send(next(sent++));
        take(tally, { ms: performance.now() - startedAt, status });
      } catch (err) {
        take(tally, { error: err.message });
        await sleep(RETRY_PAUSE_MS);
      }
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return tally;
}
