import { ServiceError } from './errors.js';

export interface BatcherOptions<Item, Result> {
  /** Processes the items of all callers at once; one result for each item, in their order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items of one batch at most. */
  readonly sizeMax: number;
}

/**
 * Collects items that arrive while a batch runs into the next batch (group commit): many callers share a statement and a
 * commit, and no caller waits when none runs. A batch that fails is repeated item by item, so that one caller's error
 * is not another's; one that fails with UNAVAILABLE fails for all.
 */
export function createBatcher<Item, Result>({ run, sizeMax }: BatcherOptions<Item, Result>) {
  interface Waiting {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (err: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let isRunning = false;

  const runOne = async ({ item, resolve, reject }: Waiting) => {
    try {
      const [result] = await run([item]);
      resolve(result as Result);
    } catch (err) {
      reject(err);
    }
  };
  const runBatch = async (batch: readonly Waiting[]) => {
    const [first] = batch;
    if (first !== undefined && batch.length === 1) return runOne(first);
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i] as Result);
    } catch (err) {
      if (!(err instanceof ServiceError && err.status === 'UNAVAILABLE')) await Promise.all(batch.map(runOne));
      else for (const { reject } of batch) reject(err);
    }
  };
  const drain = async () => {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, sizeMax);
      waiting = waiting.slice(sizeMax);
      await runBatch(batch);
    }
    isRunning = false;
  };
  return (item: Item): Promise<Result> =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void drain();
    });
}
