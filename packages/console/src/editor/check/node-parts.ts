/*
 * What packages/simulators and packages/engine take from Node, as far as checks in a browser need it: the build puts this
 * module in the place of `node:` modules. Decks that the checks make are thrown away, and nothing runs or is read.
 */

const never = (): never => {
  throw new Error('only Node has this');
};

/** Like that of node:util for values of JSON. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const entries = Object.entries(one);
  const others = new Map(Object.entries(other));
  return (
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && isDeepStrictEqual(value, others.get(key)))
  );
}

/** Tells long names of a deck apart, which are cut: any text that depends on the whole name does. */
export function createHash() {
  let state = 0x811c9dc5; // FNV-1a
  const hash = {
    update(text: string) {
      for (let i = 0; i < text.length; i += 1) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
      return hash;
    },
    digest: () => (state >>> 0).toString(16).padStart(8, '0'),
  };
  return hash;
}

export const createHmac = never;
export const existsSync = never;
export const readFileSync = never;
export const fileURLToPath = never;
export const pathToFileURL = never;
export const once = never;
export const availableParallelism = (): number => 1;
export const Worker = never;
export const EventEmitter = never;

const nodePath = { dirname: never, join: never, basename: never };
// a module of Node that is imported as a whole is one of paths
// oxlint-disable-next-line import/no-default-export
export default nodePath;
