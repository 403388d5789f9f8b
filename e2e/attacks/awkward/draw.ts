/** Numbers from [0, 1) that a seed decides. */
export type Random = () => number;

/** One of them. @throws Error of an empty list */
export function pick<T>(all: readonly T[], random: Random): T {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error('there is nothing to pick from');
  return one;
}

/** A whole number; small ones as often as large ones, by their magnitude. */
export function between(random: Random, least: number, most: number): number {
  return Math.min(most, Math.round((least + 1) * ((most + 1) / (least + 1)) ** random()) - 1);
}

export function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
