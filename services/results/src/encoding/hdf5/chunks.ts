/** Numbers of a chunk at most: 512 KiB, half of what HDF5 keeps of a dataset in memory by default. */
const CHUNK_NUMBERS_MAX = 64 * 1024;

/** A rectangular part of a dataset: from … to along each axis, the slowest first. */
export type Slab = readonly (readonly [from: number, to: number])[];

/** Shape of the chunks: as many of the fastest axes as fit, so that every chunk is one piece of the numbers in their order. */
export function chunkShape(shape: readonly number[]): number[] {
  const chunk = shape.map(() => 1);
  let numbers = 1;
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    const size = Math.min(shape[axis] ?? 1, Math.max(1, Math.floor(CHUNK_NUMBERS_MAX / numbers)));
    chunk[axis] = size;
    numbers *= size;
    if (size < (shape[axis] ?? 1)) break;
  }
  return chunk;
}

/** The parts of a dataset that its chunks hold, in the order of the numbers. */
export function* slabsOf(shape: readonly number[], chunk: readonly number[]): Generator<Slab> {
  const at = shape.map(() => 0);
  for (;;) {
    yield shape.map((size, axis) => [at[axis] ?? 0, Math.min(size, (at[axis] ?? 0) + (chunk[axis] ?? 1))] as const);
    let axis = shape.length - 1;
    for (; axis >= 0; axis -= 1) {
      at[axis] = (at[axis] ?? 0) + (chunk[axis] ?? 1);
      if ((at[axis] ?? 0) < (shape[axis] ?? 1)) break;
      at[axis] = 0;
    }
    if (axis < 0) return;
  }
}

/** Numbers of a slab. */
export function countSlab(slab: Slab): number {
  return slab.reduce((product, [from, to]) => product * (to - from), 1);
}
