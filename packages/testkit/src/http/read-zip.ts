import { inflateRawSync } from 'node:zlib';

const END_BYTES = 22;
const ENTRY_BYTES = 46;
const ZIP64_FIELD = 1;

/** Files of a zip by their paths, as its directory says (PKWARE's APPNOTE, 4.3.12 and 4.5.3). */
export function readZip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.length - END_BYTES;
  let count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  const files = new Map<string, Buffer>();
  for (; count > 0; count -= 1) {
    const [method, nameBytes, extraBytes] = [10, 28, 30].map((place) => bytes.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const name = bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    const extra = at + ENTRY_BYTES + nameBytes;
    let long = extra;
    while (long < extra + extraBytes && bytes.readUInt16LE(long) !== ZIP64_FIELD) {
      long += 4 + bytes.readUInt16LE(long + 2);
    }
    const isLong = long < extra + extraBytes; // all of its numbers are there, as the writer always has it so
    const [size, start] = isLong
      ? [Number(bytes.readBigUInt64LE(long + 12)), Number(bytes.readBigUInt64LE(long + 20))]
      : [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)];
    const data = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    const content = bytes.subarray(data, data + size);
    files.set(name, method === 0 ? content : inflateRawSync(content));
    at = extra + extraBytes;
  }
  return files;
}
