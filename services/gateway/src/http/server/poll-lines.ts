import { LRUCache } from 'lru-cache';

/** How often the same poll of the same user has a line. */
const INTERVAL_MS = 10_000;
/** Users and routes that are remembered: a few hundred bytes each. Whoever falls out has a line too many. */
const REMEMBERED_MAX = 10_000;

interface Poll {
  readonly untilMs: number;
  left: number;
}

/**
 * Which polls have a line in the log. A page of the console asks every second, and says the same each time: of one user's successful GETs of
 * one route, the first has a line, then one every ten seconds, which tells how many it stands for.
 */
export class PollLines {
  readonly #polls = new LRUCache<string, Poll>({ max: REMEMBERED_MAX });

  /** How many polls without a line came before this one; undefined: this one has no line. */
  count(userId: bigint, route: string, nowMs: number): number | undefined {
    const key = `${userId} ${route}`;
    const poll = this.#polls.get(key);
    if (poll !== undefined && nowMs < poll.untilMs) {
      poll.left += 1;
      return undefined;
    }
    this.#polls.set(key, { untilMs: nowMs + INTERVAL_MS, left: 0 });
    return poll?.left ?? 0;
  }
}
