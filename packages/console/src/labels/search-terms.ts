/** A term of a search as it is written: a word, "several words", key:value or key:"a value". */
export interface Term {
  readonly text: string;
  /** Undefined: words. */
  readonly key: string | undefined;
}

const TERM = /(?:([A-Za-z]+):)?(?:"[^"]*"|\S+)/g;

/** Terms of a search, as the service reads them. */
export const termsOf = (search: string): Term[] =>
  [...search.matchAll(TERM)].map(([text, key]) => ({ text, key: key?.toLowerCase() }));

/** The search without one of its terms. */
export const withoutTerm = (search: string, term: string): string =>
  termsOf(search)
    .map(({ text }) => text)
    .filter((text) => text !== term)
    .join(' ');

/** The search with a term more, unless it has it. */
export const withTerm = (search: string, term: string): string =>
  termsOf(search).some(({ text }) => text === term) ? search : `${search.trim()} ${term}`.trim();

/** A tag as a term. */
export const tagTerm = (tag: string): string => (/\s/.test(tag) ? `tag:"${tag}"` : `tag:${tag}`);
