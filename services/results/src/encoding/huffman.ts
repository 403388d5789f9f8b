/** Code lengths of symbols that occur so often, none longer than `bitsMax` (deflate: 15); 0: the symbol does not occur. */
export function codeLengths(counts: ArrayLike<number>, bitsMax: number): Uint8Array {
  for (let weights = Array.from(counts); ; weights = weights.map((weight) => weight && (weight >> 1) + 1)) {
    const lengths = huffmanLengths(weights);
    // flatter weights make a flatter tree
    if (lengths.every((length) => length <= bitsMax)) return lengths;
  }
}

interface Tree {
  readonly weight: number;
  /** Undefined: a symbol by itself. */
  readonly halves?: readonly [Tree, Tree];
  readonly symbol?: number;
}

/**
 * Huffman's tree: the two lightest become one, until one is left. Joined trees come about in ascending weight, so that the
 * lightest of all is the first of the symbols that are left or the first of the joined trees.
 */
function huffmanLengths(weights: readonly number[]): Uint8Array {
  const leaves: Tree[] = [];
  for (const [symbol, weight] of weights.entries()) if (weight > 0) leaves.push({ weight, symbol });
  leaves.sort((a, b) => b.weight - a.weight);
  const joined: Tree[] = [];
  let next = 0;
  const takeLightest = (): Tree | undefined => {
    const [leaf, tree] = [leaves.at(-1), joined[next]];
    if (leaf !== undefined && (tree === undefined || leaf.weight <= tree.weight)) return leaves.pop();
    next += 1;
    return tree;
  };
  const lengths = new Uint8Array(weights.length);
  let root = takeLightest();
  for (let other = takeLightest(); root !== undefined && other !== undefined; other = takeLightest()) {
    joined.push({ weight: root.weight + other.weight, halves: [root, other] });
    root = takeLightest();
  }
  const descend = ({ halves, symbol }: Tree, length: number): void => {
    if (symbol !== undefined) lengths[symbol] = Math.max(1, length);
    for (const half of halves ?? []) descend(half, length + 1);
  };
  if (root !== undefined) descend(root, 0);
  return lengths;
}

/** Longest code of deflate, bits. */
const LENGTH_MAX = 15;

/** Canonical codes of these lengths as `code | length << 24`, bits in the order in which deflate sends them (RFC 1951, 3.2.2). */
export function packedCodes(lengths: Uint8Array): Uint32Array {
  const packed = new Uint32Array(lengths.length);
  const counts = new Uint16Array(LENGTH_MAX + 1);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const next = new Uint16Array(LENGTH_MAX + 1); // the next code of each length
  for (let length = 1, code = 0; length <= LENGTH_MAX; length += 1) {
    code = (code + (counts[length - 1] ?? 0)) << 1;
    next[length] = code;
  }
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const code = next[length] ?? 0;
    packed[symbol] = reverseBits(code, length) | (length << 24);
    next[length] = code + 1;
  }
  return packed;
}

function reverseBits(code: number, length: number): number {
  let reversed = 0;
  for (let bit = 0; bit < length; bit += 1) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
  return reversed;
}
