/** Header of an array in NumPy's format 1.0 (numpy.lib.format): magic, version, length, a Python literal, padded to 64 bytes. */
export function npyHeader(descriptor: string, isFirstFastest: boolean, shape: readonly number[]): Buffer {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const order = isFirstFastest ? 'True' : 'False';
  const text = `{'descr': '${descriptor}', 'fortran_order': ${order}, 'shape': ${tuple}, }`;
  const padded = `${text.padEnd(Math.ceil((PREAMBLE_BYTES + text.length + 1) / 64) * 64 - PREAMBLE_BYTES - 1)}\n`;
  const header = Buffer.alloc(PREAMBLE_BYTES + padded.length);
  header.write('\u0093NUMPY\u0001\u0000', 'latin1');
  header.writeUInt16LE(padded.length, 8);
  header.write(padded, PREAMBLE_BYTES, 'latin1');
  return header;
}

const PREAMBLE_BYTES = 10;

/** Texts as an array; one text alone has no axis. */
export function npyOfTexts(texts: readonly string[] | string): Buffer {
  const list = typeof texts === 'string' ? [texts] : texts;
  const points = list.map((text) => Array.from(text, (character) => character.codePointAt(0) ?? 0));
  const length = Math.max(1, ...points.map((all) => all.length));
  const numbers = Buffer.alloc(4 * length * list.length);
  for (const [index, all] of points.entries()) {
    for (const [place, point] of all.entries()) numbers.writeUInt32LE(point, 4 * (index * length + place));
  }
  const shape = typeof texts === 'string' ? [] : [list.length];
  return Buffer.concat([npyHeader(`<U${length}`, false, shape), numbers]);
}
