/*
 * What goes over the socket between a runner and its simulator host: frames of one byte (what it is), four bytes (length
 * of the rest, big-endian) and the rest, UTF-8.
 */

/** A message (messages.ts), or one line that a command has printed. */
export const FRAME_KINDS = ['message', 'stdout', 'stderr'] as const;
export type FrameKind = (typeof FRAME_KINDS)[number];

const HEADER_BYTES = 5;
/** Commands and their environments are the longest. */
const FRAME_BYTES_MAX = 4 * 1024 * 1024;

export function encodeFrame(kind: FrameKind, text: string): Buffer {
  const sizeBytes = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + sizeBytes);
  frame.writeUInt8(FRAME_KINDS.indexOf(kind), 0);
  frame.writeUInt32BE(sizeBytes, 1);
  frame.write(text, HEADER_BYTES);
  return frame;
}

/**
 * Takes bytes in pieces of any size and gives whole frames.
 * @throws Error when the bytes are no frames; the connection is to be closed then
 */
export function createFrameReader(onFrame: (kind: FrameKind, text: string) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let sizeBytes = 0;
  let wantedBytes = HEADER_BYTES;
  return (chunk) => {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes < wantedBytes) return;
    let rest = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    for (;;) {
      wantedBytes = HEADER_BYTES;
      if (rest.length < HEADER_BYTES) break;
      const kind = FRAME_KINDS[rest.readUInt8(0)];
      const bodyBytes = rest.readUInt32BE(1);
      if (kind === undefined || bodyBytes > FRAME_BYTES_MAX) throw new Error('this is no frame of a simulator host');
      wantedBytes = HEADER_BYTES + bodyBytes;
      if (rest.length < wantedBytes) break;
      onFrame(kind, rest.toString('utf8', HEADER_BYTES, wantedBytes));
      rest = rest.subarray(wantedBytes);
    }
    chunks = [rest];
    sizeBytes = rest.length;
  };
}
