import { Worker } from 'node:worker_threads';
import { BYTES_PER_NUMBER } from '@tally/merge';
import { builtProgram } from '@tally/service-kit';
import type { Hdf5Answer, Hdf5Command } from './commands.js';

/** Commands that may wait: so the next numbers are read while others are written. */
const WAITING_MAX = 2;
/** Numbers of one command. */
const NUMBERS_MAX = 64 * 1024;

/** The thread that writes a file; ends with {@link close}, or when a command fails. */
export class WriterThread {
  readonly #worker = new Worker(builtProgram(import.meta.url, './worker.js'), {
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  });
  /** What waits for the answers to commands, in their order. */
  readonly #waiting: { resolve(): void; reject(err: Error): void }[] = [];
  readonly #sent: Promise<void>[] = [];
  /** Used in turn: one that is used again has been answered for. Arrays handed over would gather until they are collected. */
  readonly #shared = Array.from(
    { length: WAITING_MAX + 1 },
    () => new Float64Array(new SharedArrayBuffer(NUMBERS_MAX * BYTES_PER_NUMBER)),
  );
  #turn = 0;
  #failure: Error | undefined;

  constructor() {
    this.#worker.on('message', ({ error }: Hdf5Answer) => {
      if (error === undefined) this.#waiting.shift()?.resolve();
      else this.#fail(new Error(error));
    });
    this.#worker.on('error', (err: unknown) => this.#fail(err instanceof Error ? err : new Error(String(err))));
    this.#worker.on('exit', (code) => this.#fail(new Error(`the writer of HDF5 ended with ${code}`)));
  }

  /** The next numbers of the latest dataset; see {@link send}. */
  async sendNumbers(numbers: Float64Array): Promise<void> {
    for (let from = 0; from < numbers.length; from += NUMBERS_MAX) {
      const piece = numbers.subarray(from, from + NUMBERS_MAX);
      const shared = this.#shared[this.#turn]?.subarray(0, piece.length) ?? new Float64Array(0);
      this.#turn = (this.#turn + 1) % this.#shared.length;
      shared.set(piece);
      await this.send({ kind: 'numbers', numbers: shared });
    }
  }

  /** Resolves when no more than {@link WAITING_MAX} commands wait. @throws Error of a command that failed */
  async send(command: Hdf5Command): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const done = new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    done.catch(() => {}); // whoever waits for it hears of it
    this.#worker.postMessage(command, []);
    this.#sent.push(done);
    while (this.#sent.length > WAITING_MAX) await this.#sent.shift();
  }

  /** Resolves when all that was sent is done. */
  async settle(): Promise<void> {
    for (const done of this.#sent.splice(0)) await done;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(err: Error): void {
    this.#failure ??= err;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(err);
  }
}
