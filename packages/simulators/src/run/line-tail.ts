/** The last lines of a text, within bounds. */
export interface LineTail {
  add(line: string): void;
  lines(): string[];
}

/** Keeps the last `linesMax` lines that are not blank, and of them at most `charsMax` characters, the newest first kept. */
export function createLineTail(linesMax: number, charsMax: number): LineTail {
  const kept: string[] = [];
  return {
    add(line) {
      const text = line.trim();
      if (text === '') return;
      kept.push(text.slice(0, charsMax));
      if (kept.length > linesMax) kept.shift();
    },
    lines() {
      let left = charsMax;
      const fitting: string[] = [];
      for (const line of kept.toReversed()) {
        left -= line.length;
        if (left < 0) break;
        fitting.unshift(line);
      }
      return fitting;
    },
  };
}
