const NEWLINE = 0x0a;

/** Cuts a byte stream into lines of bounded length. */
export interface LineSplitter {
  push(chunk: Uint8Array): void;
  /** Gives the last line if the stream did not end with a line break. */
  end(): void;
}

/**
 * Lines as text: UTF-8 (what is not becomes U+FFFD), without line break, carriage return and NUL. A line over
 * `lineBytesMax` is broken there, so that no output can fill the memory.
 */
export function createLineSplitter(lineBytesMax: number, onLine: (line: string) => void): LineSplitter {
  const decoder = new TextDecoder();
  let pieces: Uint8Array[] = [];
  let pendingBytes = 0;
  const emit = () => {
    const text = decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
    pieces = [];
    pendingBytes = 0;
    onLine(text.replaceAll('\0', '\uFFFD').replace(/\r$/, ''));
  };
  const keep = (piece: Uint8Array) => {
    for (let rest = piece; ; ) {
      const room = lineBytesMax - pendingBytes;
      pieces.push(rest.subarray(0, room));
      pendingBytes += Math.min(room, rest.length);
      if (rest.length <= room) return;
      rest = rest.subarray(room);
      emit();
    }
  };
  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
        keep(chunk.subarray(start, at));
        emit();
        start = at + 1;
      }
      if (start < chunk.length) keep(Uint8Array.from(chunk.subarray(start)));
    },
    end() {
      if (pendingBytes > 0) emit();
    },
  };
}
