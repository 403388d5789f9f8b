/*
 * The words of the interface, for those who need no driver: they are loaded without everything that makes and reads decks.
 */

/** The simulators of the interface, in its order. */
export const SIM_TYPES = ['simA', 'simB', 'simC', 'simD'] as const;
export type SimType = (typeof SIM_TYPES)[number];

/** `editor`: the editor's project; `files`: the simulator's own input files. */
export const INPUT_TYPES = ['editor', 'files'] as const;
export type InputType = (typeof INPUT_TYPES)[number];

export function isSimType(value: unknown): value is SimType {
  return SIM_TYPES.some((simType) => simType === value);
}

/** Characters of a version. */
export const VERSION_LENGTH_MAX = 60;

/** Whether a text can stand for the version of an executable; the empty one says that it is not known. */
export function isVersion(text: string): boolean {
  return text.length <= VERSION_LENGTH_MAX && /^[\w.+ -]*$/.test(text);
}
