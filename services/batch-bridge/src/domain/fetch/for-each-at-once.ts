import pLimit from 'p-limit';

/** Runs `work` for each item, at most `max` at a time, begun in their order. After an error nothing more is begun. */
export async function forEachAtOnce<T>(
  items: readonly T[],
  max: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit(max);
  const errors: unknown[] = [];
  await limit.map(items, async (item) => {
    if (errors.length === 0) await work(item).catch((err: unknown) => errors.push(err));
  });
  if (errors.length > 0) throw errors[0];
}
