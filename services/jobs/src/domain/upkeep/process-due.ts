/**
 * Takes what is due and works on it, `limit` at once, until nothing is due.
 * @throws one of the errors of `work`, when it failed for some; the others of the same round are done all the same
 */
export async function processDue<Item>(
  take: (limit: number) => Promise<readonly Item[]>,
  work: (item: Item) => Promise<unknown>,
  limit: number,
): Promise<void> {
  for (;;) {
    const due = await take(limit);
    await processAll(due, work);
    if (due.length < limit) return;
  }
}

/** Works on all items. @throws one of the errors of `work`, when it failed for some; the others are done all the same */
export async function processAll<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const tries = await Promise.allSettled(items.map(work));
  const failure = tries.find((attempt) => attempt.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
