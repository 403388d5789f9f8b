import { ServiceError } from '../errors.js';

export interface BatcherOptions<Item, Result> {
  /** Processes the items of all callers at once; one result for each item, in their order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items of one batch at most. */
  readonly sizeMax: number;
  /** Batches that run at a time; 1 unless given. */
  readonly batchesMax?: number;
}

/**
 * Collects items that come in the same turn of the event loop, or while as many batches run as may, into one batch (group
 * commit): many callers share a statement and a commit, or a call. A batch that fails is repeated item by item, so that one
 * caller's error is not another's; one that fails with UNAVAILABLE fails for all.
 */
export function createBatcher<Item, Result>({ run, sizeMax, batchesMax = 1 }: BatcherOptions<Item, Result>) {
  interface Waiting {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (err: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let runningCount = 0;

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
  const end = () => {
    runningCount -= 1;
    begin();
  };
  const begin = () => {
    while (runningCount < batchesMax && waiting.length > 0) {
      const batch = waiting.slice(0, sizeMax);
      waiting = waiting.slice(sizeMax);
      runningCount += 1;
      void runBatch(batch).finally(end);
    }
  };
  return (item: Item): Promise<Result> =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // of others, the first has done so, or the end of a batch will
      if (waiting.length === 1 && runningCount < batchesMax) setImmediate(begin);
    });
}
