// Runs a load and says what it took: rate, durations, processor time, statements and memory by service.
import { setTimeout as sleep } from 'node:timers/promises';
import { calibrate } from './calibrate.mjs';
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
  /** Every load so far by name, as it goes into the result. */
  loads = {};

  /**
   * @param world - `processes` (ProcessGroup), `statements` (StatementCounter), `profiler` (or undefined)
   * @param settings - `seconds` of a run, `repeats`, `attempts`, `waitsForQuiet`
   * @param onLoad - hears the name and record of each load when it ends
   */
  constructor(world, settings, onLoad) {
    Object.assign(this, { world, settings, onLoad });
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
    await warmUp(this.world.processes, async () => (await loop(WARM_UP_WINDOW_MS)).units);
    const runs = await this.#repeat(name, () => loop(1000 * seconds), repeats, attempts);
    return this.#record(name, connections === 1 ? 'p50Ms' : 'rate', { connections, runs });
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
    return this.#record(name, 'p50Ms', { connections: 1, runs: await this.#repeat(name, work, 1, 1) });
  }

  /** Work of the caller's that is done in units: resolves to `{units, durations}`; repeated as rates are. */
  async work(name, connections, work) {
    const { repeats, attempts } = this.settings;
    await warmUp(this.world.processes, async () => (await work()).units);
    const runs = await this.#repeat(name, async () => ({ ...newTally(), ...(await work()) }), repeats, attempts);
    return this.#record(name, 'rate', { connections, runs });
  }

  /** Adds a record that was measured otherwise; `shows` names the member that the load is about. */
  async note(name, record) {
    this.loads[name] = record;
    await this.onLoad(name, record);
    return record;
  }

  /** Observes runs until enough of them were not disturbed; the quietest. */
  async #repeat(name, work, repeats, attempts) {
    const runs = [];
    let calmCount = 0;
    while (runs.length < attempts && calmCount < repeats) {
      await this.waitForQuiet();
      const run = await this.#observe(name, work);
      runs.push(run);
      if (!this.settings.waitsForQuiet || disturbance(run.used) <= DISTURBED_CORES) calmCount += 1;
    }
    return runs.sort((a, b) => disturbance(a.used) - disturbance(b.used)).slice(0, repeats);
  }

  async #observe(name, work) {
    const { processes, statements, profiler } = this.world;
    await profiler?.start();
    processes.resetPeaks();
    const statementsBefore = await statements.now();
    const before = processes.now();
    const tally = await work();
    const used = processes.since(before);
    await profiler?.stop(name);
    return { ...tally, used, memory: processes.memory(), ran: await statements.since(statementsBefore) };
  }

  async #record(name, shows, { connections, runs }) {
    const middle = (read) => rounded(median(runs.map(read)));
    const sum = (read) => runs.reduce((total, run) => total + read(run), 0);
    const [first] = runs;
    const units = (run) => Math.max(1, run.units);
    const durations = runs.map((run) => describeDurations(run.durations));
    return this.note(name, {
      shows,
      connections,
      count: sum((run) => run.units),
      rate: middle((run) => run.units / run.used.wall),
      p50Ms: rounded(median(durations.map(({ p50Ms }) => p50Ms))),
      p99Ms: rounded(median(durations.map(({ p99Ms }) => p99Ms))),
      maxMs: rounded(Math.max(...durations.map(({ maxMs }) => maxMs))),
      cpuMs: middle((run) => (1000 * run.used.total) / units(run)),
      cpuMsByService: mapValues(first.used.byName, (_, key) =>
        middle((run) => (1000 * run.used.byName[key]) / units(run)),
      ),
      statements: middle((run) => sumOf(run.ran.byService) / units(run)),
      statementsByService: mapValues(first.ran.byService, (_, key) =>
        middle((run) => run.ran.byService[key] / units(run)),
      ),
      peakMiB: mapValues(first.memory, (_, key) => Math.max(...runs.map((run) => run.memory[key].peak))),
      bytes: middle((run) => run.bytes / units(run)),
      errors: addUp(runs.map((run) => run.errors)),
      foreignCores: rounded(Math.max(...runs.map((run) => run.used.foreignCores))),
      stolenCores: rounded(Math.max(...runs.map((run) => run.used.stolenCores))),
      generatorCores: middle((run) => run.used.generatorCores),
      calibrationMs: calibrate(),
    });
  }

  /** Waits until others leave the machine alone for a second, or for long enough. */
  async waitForQuiet() {
    const deadline = performance.now() + QUIET_WAIT_MS;
    while (this.settings.waitsForQuiet && performance.now() < deadline) {
      const before = this.world.processes.now();
      await sleep(1_000);
      if (disturbance(this.world.processes.since(before)) < QUIET_CORES) return;
    }
  }
}

const sumOf = (object) => Object.values(object).reduce((sum, value) => sum + value, 0);

function addUp(objects) {
  const total = {};
  for (const object of objects)
    for (const [key, value] of Object.entries(object)) total[key] = (total[key] ?? 0) + value;
  return total;
}

const newTally = () => ({ units: 0, durations: [], bytes: 0, errors: {} });

/** Only what succeeds is counted and timed. */
function take(tally, { ms, status = 200, bytes = 0, error = status >= 300 ? `status ${status}` : undefined }) {
  if (error !== undefined) {
    tally.errors[error] = (tally.errors[error] ?? 0) + 1;
    return;
  }
  tally.units += 1;
  tally.bytes += bytes;
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
        const { status, bytes } = await connection.send(next(sent++));
        take(tally, { ms: performance.now() - startedAt, status, bytes });
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
