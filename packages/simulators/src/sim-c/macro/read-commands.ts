import { splitLines } from '../../deck/text-lines.js';

/** A command of a macro, with the lines that it is written on. */
export interface MacroCommand {
  /** Its words with single blanks between them; quoted ones are one word. */
  readonly text: string;
  /** Of its first line and of its last, from 0. */
  readonly first: number;
  readonly last: number;
  /** A line of it is longer than the simulator reads, which stops there. */
  readonly isTooLong: boolean;
}

/** Characters of a line that the simulator has room for. */
const LINE_CHARS_MAX = 4095;

/**
 * The commands of a macro as Geant4 reads them (G4UIbatch::ReadCommand of 11.4): tabs are blanks; a word that begins with `#` and
 * what follows is a comment; a word `\` or `_` continues the line; a line that begins with `#` drops what it would continue;
 * `exit` ends the macro.
 */
export function readCommands(macro: string): MacroCommand[] {
  const commands: MacroCommand[] = [];
  let open: { words: string[]; first: number } | undefined;
  for (const [index, { text }] of splitLines(macro).entries()) {
    const line = text.replaceAll('\t', ' ').trim();
    if (line.startsWith('#')) {
      open = undefined;
      continue;
    }
    if (line === '' && open === undefined) continue;
    const { words, isContinued } = splitCommand(line);
    const whole: { words: string[]; first: number } = open ?? { words: [], first: index };
    whole.words.push(...words);
    open = isContinued ? whole : undefined;
    if (isContinued || whole.words.length === 0) continue;
    const command = whole.words.join(' ');
    if (command === 'exit') return commands;
    commands.push({ text: command, first: whole.first, last: index, isTooLong: text.length > LINE_CHARS_MAX });
  }
  return commands;
}

function splitCommand(line: string): { readonly words: string[]; readonly isContinued: boolean } {
  const words: string[] = [];
  // a quote that is not closed goes on to the end of the line
  for (const [word] of line.matchAll(/"[^"]*(?:"|$)|'[^']*(?:'|$)|[^ ]+/g)) {
    if (word.startsWith('#')) break;
    if (word === '\\' || word === '_') return { words, isContinued: true };
    words.push(word);
  }
  return { words, isContinued: false };
}
