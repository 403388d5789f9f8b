import { parentPort } from 'node:worker_threads';
import { deflateSync } from 'node:zlib';
import { yieldProcessor } from '@tally/service-kit/yield-processor';
import { type Dataset, File, Group, ready } from 'h5wasm/node';
import { chunkShape, countSlab, type Slab, slabsOf } from './chunks.js';
import type { Attributes, Hdf5Answer, Hdf5Command } from './commands.js';

/*
 * A thread that writes one HDF5 file by h5wasm, which is loaded here and nowhere else. Its build for Node writes to real files,
 * so that memory does not grow with what is written; and numbers go in a chunk at a time.
 */

/** Time counts more than the last bytes: numbers of Monte Carlo runs hardly shrink further. */
const DEFLATE_LEVEL = 1;
/** A dataset is compressed when its first chunk shrinks to this part of its size: else its digits are noise. */
const COMPRESSED_MAX = 0.85;

/** The dataset that is being written. */
class Writer {
  readonly #slabs: Iterator<Slab>;
  readonly #chunk: readonly number[];
  #slab: Slab | undefined;
  #gathered = new Float64Array(0);
  #count = 0;
  #dataset: Dataset | undefined;

  constructor(
    private readonly parent: Group,
    private readonly name: string,
    private readonly shape: readonly number[],
    private readonly attributes: Attributes,
  ) {
    this.#chunk = chunkShape(shape);
    this.#slabs = shape.includes(0) ? [].values() : slabsOf(shape, this.#chunk);
    this.#next();
  }

  add(numbers: Float64Array): void {
    for (let from = 0; from < numbers.length; ) {
      const piece = numbers.subarray(from, from + this.#gathered.length - this.#count);
      this.#gathered.set(piece, this.#count);
      this.#count += piece.length;
      from += piece.length;
      if (piece.length === 0) throw new RangeError('more numbers than the dataset has');
      if (this.#count === this.#gathered.length) this.#write();
    }
  }

  /** The dataset with all its numbers. */
  end(): Dataset {
    if (this.#slab !== undefined) throw new RangeError('fewer numbers than the dataset has');
    this.#dataset ??= this.#create(new Float64Array(0), null);
    return this.#dataset;
  }

  #next(): void {
    const next = this.#slabs.next();
    this.#slab = next.done === true ? undefined : next.value;
    const count = this.#slab === undefined ? 0 : countSlab(this.#slab);
    if (this.#gathered.length !== count) this.#gathered = new Float64Array(count);
    this.#count = 0;
  }

  #write(): void {
    const slab = this.#slab ?? [];
    const numbers = this.#gathered;
    const isAll =
      this.#dataset === undefined && slab.every(([from, to], axis) => from === 0 && to === this.shape[axis]);
    if (isAll) this.#dataset = this.#create(numbers, null);
    else {
      this.#dataset ??= this.#createChunked(numbers);
      this.#dataset.write_slice(
        slab.map(([from, to]) => [from, to]),
        numbers,
      );
    }
    this.#next();
  }

  /** h5wasm makes a dataset with its numbers only: it begins with one, and grows to its size before others go in. */
  #createChunked(sample: Float64Array): Dataset {
    const bytes = new Uint8Array(sample.buffer, sample.byteOffset, sample.byteLength);
    const packed = deflateSync(bytes, { level: DEFLATE_LEVEL }).byteLength;
    const dataset = this.#create(new Float64Array(1), {
      shape: this.shape.map(() => 1),
      maxshape: [...this.shape],
      chunks: [...this.#chunk],
      ...(packed <= COMPRESSED_MAX * bytes.byteLength
        ? { compression: 'gzip' as const, compression_opts: DEFLATE_LEVEL }
        : {}),
    });
    dataset.resize([...this.shape]);
    return dataset;
  }

  #create(data: Float64Array, layout: Partial<Parameters<Group['create_dataset']>[0]> | null): Dataset {
    const dataset = this.parent.create_dataset({
      name: this.name,
      data,
      shape: [...this.shape],
      dtype: '<d',
      ...layout,
    });
    setAttributes(dataset, this.attributes);
    return dataset;
  }
}

function setAttributes(object: Group | Dataset, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'bigint') object.create_attribute(name, BigInt64Array.of(value), [], '<q');
    else if (typeof value === 'boolean') object.create_attribute(name, Uint8Array.of(Number(value)), [], '<B');
    else if (typeof value === 'number') object.create_attribute(name, Float64Array.of(value), [], '<d');
    else if (typeof value === 'string') object.create_attribute(name, value);
    else object.create_attribute(name, [...value]);
  }
}

let file: File | undefined;
let writer: Writer | undefined;

function opened(): File {
  if (file === undefined) throw new Error('no file is open');
  return file;
}

/** The group that a path lies in, and its own name. */
function split(path: string): { parent: Group; name: string } {
  const at = path.lastIndexOf('/');
  const parent = at < 0 ? opened() : opened().get(path.slice(0, at));
  if (!(parent instanceof Group)) throw new Error(`no group for ${path}`);
  return { parent, name: path.slice(at + 1) };
}

async function execute(command: Hdf5Command): Promise<void> {
  switch (command.kind) {
    case 'open':
      await ready;
      file = new File(command.file, 'w', { track_order: true, libver: ['v108', 'v110'] });
      return setAttributes(file, command.attributes);
    case 'group': {
      const { parent, name } = split(command.path);
      return setAttributes(parent.create_group(name, true), command.attributes);
    }
    case 'dataset': {
      const { parent, name } = split(command.path);
      writer = new Writer(parent, name, command.shape, command.attributes);
      return;
    }
    case 'numbers':
      return writer?.add(command.numbers);
    case 'end': {
      const dataset = writer?.end();
      for (const [index, { path, label }] of command.scales.entries()) {
        dataset?.attach_scale(index, `/${path}`);
        dataset?.set_dimension_label(index, label);
      }
      return;
    }
    case 'close':
      opened().close();
  }
}

yieldProcessor();
parentPort?.on('message', (command: Hdf5Command) => {
  execute(command).then(
    () => parentPort?.postMessage({} satisfies Hdf5Answer, []),
    (err: unknown) => parentPort?.postMessage({ error: String(err) } satisfies Hdf5Answer, []),
  );
});
