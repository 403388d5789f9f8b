import { refuseDeck, refuseLine } from '../../deck/adopt-files.js';
import { formatG } from '../../deck/number-format.js';
import type { DeckFiles } from '../../driver.js';
import { type MacroCommand, readCommands } from './read-commands.js';

/** A command that the simulator executes, aliases put in. */
export interface ExecutedCommand {
  /** Without doubled slashes, as the simulator looks it up. */
  readonly name: string;
  /** What follows the name. */
  readonly rest: string;
  readonly file: string;
  /** Where the line stands that it was executed from. */
  readonly line: MacroCommand;
  /** It was given to another command, such as `/control/doif`. */
  readonly isNested: boolean;
}

/** So many commands are followed, files deep and characters long. */
const COMMANDS_MAX = 100_000;
const DEPTH_MAX = 50;
const TEXT_CHARS_MAX = 4096;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** What is known where the next command is executed. */
interface State {
  readonly files: DeckFiles;
  readonly aliases: Map<string, string>;
  readonly commands: ExecutedCommand[];
  /** Commands of the files that were executed: each is read once, however often a loop comes to it. */
  readonly read: Map<string, readonly MacroCommand[]>;
  depth: number;
}

/** Where a command stands, to be named in a refusal. */
interface Place {
  readonly file: string;
  readonly line: MacroCommand;
}

/**
 * Follows a macro through everything that it executes, as Geant4 does (G4UImanager, G4UIcontrolMessenger of 11.4): other macros,
 * loops, conditions, aliases and sums of them.
 * @param macro - name of a file of the deck
 * @returns what is executed, in its order
 * @throws ConversionError `DECK_INVALID` for what cannot be followed, with its file and line
 */
export function executeMacro(files: DeckFiles, macro: string): readonly ExecutedCommand[] {
  const state: State = { files, aliases: new Map(), commands: [], read: new Map(), depth: 0 };
  executeFile(state, macro);
  return state.commands;
}

function executeFile(state: State, file: string): void {
  if (state.depth > DEPTH_MAX) refuseDeck(file, `is executed from more than ${DEPTH_MAX} macros, one within the other`);
  const lines = state.read.get(file) ?? readCommands(state.files[file] ?? '');
  state.read.set(file, lines);
  state.depth += 1;
  for (const line of lines) {
    if (line.isTooLong) refuseLine(file, line.first, 'has more characters than the simulator reads of a line');
    executeCommand(state, line.text, { file, line }, false);
  }
  state.depth -= 1;
}

function executeCommand(state: State, written: string, place: Place, isNested: boolean): void {
  const text = putAliasesIn(state, written, place);
  if (text.includes('@')) refuse(place, 'records commands into a file (@); write them out');
  const blank = text.indexOf(' ');
  const name = (blank === -1 ? text : text.slice(0, blank)).replaceAll(/\/{2,}/g, '/');
  const rest = blank === -1 ? '' : text.slice(blank + 1).trim();
  if (state.commands.length >= COMMANDS_MAX)
    refuse(place, `is one of more than ${COMMANDS_MAX} commands that a run executes`);
  state.commands.push({ name, rest, ...place, isNested });
  followControl(state, name, rest, place);
}

/** What changes which commands follow. Others of /control are refused where foreign files are looked for. */
function followControl(state: State, name: string, rest: string, place: Place): void {
  const words = splitWords(rest);
  const [first = '', second = '', third = ''] = words;
  switch (name) {
    case '/control/execute':
    case '/control/ifBatch':
      return executeNamed(state, rest);
    case '/control/doifBatch':
      return executeCommand(state, unquote(rest), place, true);
    case '/control/loop':
      return loop(state, { macro: first, counter: second, values: listSteps(words.slice(2), place) }, place);
    case '/control/foreach':
      return loop(
        state,
        { macro: first, counter: second, values: splitWords(unquote(words.slice(2).join(' '))) },
        place,
      );
    case '/control/if':
    case '/control/strif':
      if (isTrue(name, words, place)) executeNamed(state, words[3] ?? '');
      return;
    case '/control/doif':
    case '/control/strdoif':
      if (isTrue(name, words, place)) executeCommand(state, unquote(words.slice(3).join(' ')), place, true);
      return;
    case '/control/alias':
      return setAlias(state, first, unquote(rest.slice(first.length).trim()), place);
    case '/control/unalias':
      state.aliases.delete(first);
      return;
    case '/control/add':
    case '/control/subtract':
    case '/control/multiply':
    case '/control/divide':
    case '/control/remainder':
      return setAlias(state, first, formatG(calculate(name, toNumber(second, place), toNumber(third, place))), place);
  }
}

function executeNamed(state: State, written: string): void {
  const macro = nameMacro(written);
  // one that is not there is refused by those who look for foreign files
  if (Object.hasOwn(state.files, macro)) executeFile(state, macro);
}

/** The file of the deck that a command names. */
export function nameMacro(written: string): string {
  return unquote(written).replace(/^\.\//, '');
}

function loop(
  state: State,
  { macro, counter, values }: { readonly macro: string; readonly counter: string; readonly values: Iterable<string> },
  place: Place,
): void {
  for (const value of values) {
    setAlias(state, counter, value, place);
    executeNamed(state, macro);
    // a macro without commands, or none at all, must not make it endless
    if (!Object.hasOwn(state.files, nameMacro(macro))) return;
  }
}

function* listSteps(words: readonly string[], place: Place): Generator<string> {
  const [initial = Number.NaN, final = Number.NaN, step = 1] = words.map((word) => toNumber(word, place));
  let count = 0;
  for (let value = initial; step > 0 ? value <= final : value >= final; value += step) {
    count += 1;
    if (count > COMMANDS_MAX) refuse(place, `is passed through more than ${COMMANDS_MAX} times`);
    yield formatG(value);
  }
}

function isTrue(command: string, [left = '', comparison, right = '']: readonly string[], place: Place): boolean {
  const isText = command.includes('str');
  const [a, b] = isText ? [left, right] : [toNumber(left, place), toNumber(right, place)];
  switch (comparison) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    default:
      return refuse(place, `${command} must compare by == != < <= > or >=`);
  }
}

function calculate(command: string, left: number, right: number): number {
  switch (command) {
    case '/control/add':
      return left + right;
    case '/control/subtract':
      return left - right;
    case '/control/multiply':
      return left * right;
    case '/control/divide':
      return left / right;
    default:
      return left % right;
  }
}

function setAlias(state: State, alias: string, value: string, place: Place): void {
  if (value.length > TEXT_CHARS_MAX) refuse(place, `sets an alias of more than ${TEXT_CHARS_MAX} characters`);
  state.aliases.set(alias, value);
}

/** Innermost braces first, and in what they gave again, up to a comment (G4UImanager::SolveAlias). */
function putAliasesIn({ aliases }: State, written: string, place: Place): string {
  let text = written;
  for (;;) {
    const comment = text.indexOf('#');
    const found = /\{([^{}]*)\}/.exec(text);
    const start = text.indexOf('{');
    if (start === -1 || (comment !== -1 && comment < start)) return text;
    if (found === null) return refuse(place, 'has a brace that is not closed');
    const value = aliases.get(found[1] ?? '');
    if (value === undefined) return refuse(place, `uses {${found[1]}}, and no alias has that name there`);
    text = text.slice(0, found.index) + value + text.slice(found.index + found[0].length);
    if (text.length > TEXT_CHARS_MAX) refuse(place, `has more than ${TEXT_CHARS_MAX} characters with its aliases`);
  }
}

function toNumber(word: string, place: Place): number {
  return NUMBER.test(word) ? Number(word) : refuse(place, `must have a number, not ${word === '' ? 'nothing' : word}`);
}

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function unquote(text: string): string {
  return text.replace(/^"([^"]*)"?$/, '$1');
}

function refuse({ file, line }: Place, message: string): never {
  return refuseLine(file, line.first, message);
}
