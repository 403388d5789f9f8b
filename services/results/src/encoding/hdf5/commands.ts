/** What an attribute of HDF5 holds: a text, a list of texts, a number, a whole number of 64 bits, a truth value. */
export type AttributeValue = string | readonly string[] | number | bigint | boolean;
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** What the thread that writes a file is told, in order; each is answered when it is done. */
export type Hdf5Command =
  | { readonly kind: 'open'; readonly file: string; readonly attributes: Attributes }
  | { readonly kind: 'group'; readonly path: string; readonly attributes: Attributes }
  | {
      readonly kind: 'dataset';
      readonly path: string;
      /** The slowest axis first. */
      readonly shape: readonly number[];
      readonly attributes: Attributes;
    }
  /** The next numbers of the latest dataset, in memory that both threads see; valid until the answer. */
  | { readonly kind: 'numbers'; readonly numbers: Float64Array }
  /** The latest dataset has all its numbers. `scales`: paths of the bin centres and labels of its axes, the slowest first. */
  | { readonly kind: 'end'; readonly scales: readonly { readonly path: string; readonly label: string }[] }
  | { readonly kind: 'close' };

/** Answer to a command; with an error nothing more is done. */
export interface Hdf5Answer {
  readonly error?: string;
}
