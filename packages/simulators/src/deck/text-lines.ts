/** One line of a deck and the characters that end it, so that joined lines are the text they came from. */
export interface DeckLine {
  readonly text: string;
  /** `\n`, `\r\n`, or nothing at the end of a file without one. */
  readonly end: string;
}

/** A deck's lines; {@link joinLines} gives the same text again. */
export function splitLines(text: string): DeckLine[] {
  return [...text.matchAll(/([^\n]*?)(\r?\n|$)/g)]
    .map(([, line = '', end = '']) => ({ text: line, end }))
    .filter(({ text: line, end }) => line !== '' || end !== '');
}

export function joinLines(lines: readonly DeckLine[]): string {
  return lines.map(({ text, end }) => text + end).join('');
}

/** Lines to put before or after `neighbour`, ended as it is. */
export function newLines(texts: readonly string[], neighbour: DeckLine | undefined): DeckLine[] {
  const end = neighbour?.end === '\r\n' ? '\r\n' : '\n';
  return texts.map((text) => ({ text, end }));
}
