/** One line of a deck and the characters that end it, so that joined lines are the text they came from. */
export interface DeckLine {
  readonly text: string;
  /** `\n`, `\r\n`, or nothing at the end of a file without one. */
  readonly end: string;
}

/** A deck's lines; {@link joinLines} gives the same text again. */
export function splitLines(text: string): DeckLine[] {
  const lines: DeckLine[] = [];
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const next = feed === -1 ? text.length : feed + 1;
    const end = feed === -1 ? '' : feed > start && text[feed - 1] === '\r' ? '\r\n' : '\n';
    lines.push({ text: text.slice(start, next - end.length), end });
    start = next;
  }
  return lines;
}

/** What stands in a line before its first white space; leading white space is skipped. */
export function firstWord(text: string): string {
  return /\S+/.exec(text)?.[0] ?? '';
}

export function joinLines(lines: readonly DeckLine[]): string {
  return lines.map(({ text, end }) => text + end).join('');
}

/** Lines to put before or after `neighbour`, ended as it is. */
export function newLines(texts: readonly string[], neighbour: DeckLine | undefined): DeckLine[] {
  const end = neighbour?.end === '\r\n' ? '\r\n' : '\n';
  return texts.map((text) => ({ text, end }));
}
