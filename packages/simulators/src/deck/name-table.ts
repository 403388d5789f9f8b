import { createHash } from 'node:crypto';
import { createUniqueNames } from './unique-names.js';

/** Length of the hash that tells two long names apart when they are cut. */
const HASH_LENGTH = 6;

/** Names that a simulator accepts, one for each thing of the project, and the way back. */
export interface NameTable {
  /** The simulator's name of the thing `id`, called `name` in the project: the same at every call, unlike any other's. */
  readonly claim: (id: string, name: string) => string;
  /** `id` of the thing that the simulator knows by this name. */
  readonly find: (claimed: string) => string | undefined;
}

export interface NameRules {
  /** Characters that a name may not have, as a global expression; each run of them becomes one `_`. */
  readonly forbidden: RegExp;
  readonly lengthMax: number;
  /** Stands for names that have no allowed character, and before those that begin with a digit where `letterFirst`. */
  readonly fallback: string;
  readonly letterFirst?: boolean;
  /** Two names that differ only in case are the same. */
  readonly ignoresCase?: boolean;
}

/** What goes into file names and free-format blocks: `[A-Za-z0-9_.-]`, at most 80 characters. */
export const FILE_NAME_RULES: NameRules = { forbidden: /[^A-Za-z0-9_.-]+/g, lengthMax: 80, fallback: 'unnamed' };

/** @param reserved names that the simulator keeps for itself, in the spelling that `rules` allows */
export function createNameTable(rules: NameRules, reserved: readonly string[] = []): NameTable {
  const fold = (name: string): string => (rules.ignoresCase === true ? name.toLowerCase() : name);
  const names = createUniqueNames(reserved, fold);
  const byId = new Map<string, string>();
  const ids = new Map<string, string>();
  return {
    claim(id, name) {
      const known = byId.get(id);
      if (known !== undefined) return known;
      const wanted = sanitizeName(name, rules);
      const claimed = names.claim(wanted, (number) => {
        const suffix = `_${number}`;
        return wanted.slice(0, rules.lengthMax - suffix.length) + suffix;
      });
      byId.set(id, claimed);
      ids.set(claimed, id);
      return claimed;
    },
    find: (claimed) => ids.get(claimed),
  };
}

/** A name with only allowed characters; one that is too long keeps its beginning and a hash of the rest. */
export function sanitizeName(name: string, rules: NameRules): string {
  const clean = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(rules.forbidden, '_')
    .replace(/^[_.-]+|_+$/g, '');
  const lettered =
    rules.letterFirst === true && !/^[A-Za-z]/.test(clean) && clean !== '' ? `${rules.fallback}_${clean}` : clean;
  const whole = lettered === '' ? rules.fallback.slice(0, rules.lengthMax) : lettered;
  if (whole.length <= rules.lengthMax) return whole;
  if (rules.lengthMax <= HASH_LENGTH + 1) return whole.slice(0, rules.lengthMax);
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${whole.slice(0, rules.lengthMax - HASH_LENGTH - 1)}_${hash}`;
}
