// Counts what services do: calls that they answer (lines of their logs), SQL statements, and KiB that the JavaScript heap of
// their main thread grows by, collected or not (v8.GCProfiler). A count is `{calls: {jobs: 1, …}, statements: {jobs: 2, …},
// kib: {gateway: 100, …}, seconds}`. Heap repeats within 3 % once an operation has run a few hundred times; Buffers are not
// in it.
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { askProbe } from './probes.mjs';

const ROUNDS = 2;
const IDLE_WINDOW_S = 2;
const IDLE_WINDOWS = 3;

const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
const PARTS = ['calls', 'statements', 'kib'];
const mapCount = (count, map) => ({
  ...Object.fromEntries(
    PARTS.map((part) => [part, mapValues(count[part], (value, service) => map(value, part, service))]),
  ),
  seconds: map(count.seconds, 'seconds'),
});
const partOf = (count, part, service) => (part === 'seconds' ? count.seconds : (count[part][service] ?? 0));

/** A count without `times` times another. */
export const without = (count, other, times = 1) =>
  mapCount(count, (value, part, service) => value - times * partOf(other, part, service));
export const perUnit = (count, units) => mapCount(count, (value) => value / units);
/** The least of several counts: what else happens only adds. */
export const least = (counts) =>
  mapCount(counts[0], (_, part, service) => Math.min(...counts.map((count) => partOf(count, part, service))));

export class Counter {
  /** What a second costs in which nobody asks for anything; taken off every count. */
  idle = { calls: {}, statements: {}, kib: {}, seconds: 1 };

  /** @param directory - of the probes of the started suite */
  constructor(started, directory) {
    Object.assign(this, { started, directory });
  }

  #ask(command) {
    const { suite } = this.started;
    const running = suite.names().filter((name) => suite.process(name).isRunning());
    const ask = async (name) => [
      name.replace(/-\d+$/, ''),
      await askProbe(this.directory, suite.process(name).pid, command),
    ];
    return Promise.all(running.map(ask));
  }

  /** Calls that each service has answered since its log had the size in `sizes`, which then has the size of now. */
  #readCalls(sizes) {
    const { suite } = this.started;
    const read = (name) => {
      const log = fs.readFileSync(suite.process(name).logFile);
      const lines = log.subarray(sizes.get(name) ?? 0).toString();
      sizes.set(name, log.length);
      return [name.replace(/-\d+$/, ''), lines.match(/"rpc":.*"msg":"call"/g)?.length ?? 0];
    };
    return Object.fromEntries(suite.names().map(read));
  }

  async #observe(work) {
    await this.#ask('/allocation/start');
    const logSizes = new Map();
    this.#readCalls(logSizes);
    const before = await this.started.statements.now();
    const startedAt = performance.now();
    await work();
    const seconds = (performance.now() - startedAt) / 1000;
    const { byService } = await this.started.statements.since(before);
    const bytes = Object.fromEntries(await this.#ask('/allocation/stop'));
    return {
      calls: this.#readCalls(logSizes),
      statements: byService,
      kib: mapValues(bytes, (count) => count / 1024),
      seconds,
    };
  }

  async count(work) {
    const count = await this.#observe(work);
    return without(count, this.idle, count.seconds);
  }

  /** Looks again at what an idle second costs: the least of some, because some of it comes now and then. */
  async countIdle() {
    const windows = [];
    while (windows.length < IDLE_WINDOWS) {
      windows.push(perUnit(await this.#observe(() => sleep(1_000 * IDLE_WINDOW_S)), IDLE_WINDOW_S));
    }
    this.idle = least(windows);
    return this.idle;
  }

  /**
   * One operation: the least of two rounds of some, after two to warm up.
   * @param prepare - makes what one operation needs, before its round
   */
  async countEach(units, run, prepare = (i) => i) {
    const counts = [];
    for (let round = -ROUNDS; round < ROUNDS; round++) {
      const items = [];
      for (let i = 0; i < units; i++) items.push(await prepare(i));
      const work = async () => {
        for (const item of items) await run(item);
      };
      if (round < 0) await work();
      else counts.push(perUnit(await this.count(work), units));
    }
    return least(counts);
  }
}
