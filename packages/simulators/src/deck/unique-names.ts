/** Names that are not taken yet. */
export interface UniqueNames {
  /** The name, or the first of `numbered(2)`, `numbered(3)` … that is not taken; it is taken then. */
  claim(wanted: string, numbered: (number: number) => string): string;
}

/**
 * Takes no longer for the thousandth thing of one name than for the second.
 * @param fold - two names that it makes the same are the same
 */
export function createUniqueNames(
  reserved: readonly string[] = [],
  fold: (name: string) => string = (name) => name,
): UniqueNames {
  const taken = new Set(reserved.map(fold));
  /** The number to be tried next of a name. */
  const next = new Map<string, number>();
  return {
    claim(wanted, numbered) {
      let unique = wanted;
      const key = fold(wanted);
      if (taken.has(key)) {
        let number = next.get(key) ?? 2;
        for (unique = numbered(number); taken.has(fold(unique)); unique = numbered(number)) number += 1;
        next.set(key, number + 1);
      }
      taken.add(fold(unique));
      return unique;
    },
  };
}
