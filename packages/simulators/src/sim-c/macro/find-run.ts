import { ConversionError } from '../../conversion-error.js';
import { refuseDeck, refuseLine } from '../../deck/adopt-files.js';
import { readWholeNumber } from '../../deck/whole-number.js';
import type { DeckFiles } from '../../driver.js';
import { type ExecutedCommand, executeMacro, nameMacro } from './execute-macro.js';
import { readCommands } from './read-commands.js';

const MACRO_SUFFIX = '.mac';
const BEAM_ON = '/run/beamOn';
/** Commands of which a word names a macro, and which word that is. */
const EXECUTING: Readonly<Record<string, number>> = {
  '/control/execute': 0,
  '/control/ifBatch': 0,
  '/control/ifInteractive': 0,
  '/control/loop': 0,
  '/control/foreach': 0,
  '/control/if': 3,
  '/control/strif': 3,
};

/** The run that a deck asks for. */
export interface BeamRun {
  /** The macro that is started. */
  readonly macro: string;
  readonly command: ExecutedCommand;
  readonly primaries: number;
  /** Everything that is executed. */
  readonly commands: readonly ExecutedCommand[];
}

/**
 * The macro that is started: the one that no other executes. Of several the one that comes to a run.
 * @throws ConversionError `DECK_INVALID`
 */
export function findMacro(files: DeckFiles): string {
  return startRun(files).macro;
}

/** The macro that is started, and everything that it executes, in its order. */
export interface Start {
  readonly macro: string;
  readonly commands: readonly ExecutedCommand[];
}

/** @throws ConversionError `DECK_INVALID` */
export function startRun(files: DeckFiles): Start {
  const macros = Object.keys(files).filter((name) => name.endsWith(MACRO_SUFFIX));
  const named = new Set(macros.flatMap((name) => listExecuted(files, name)));
  const tried = macros.filter((name) => !named.has(name)).map((macro) => follow(files, macro));
  // names may be put together from aliases, so that only what is followed tells who executes whom
  const isExecuted = (macro: string): boolean =>
    tried.some((other) => other.macro !== macro && other.commands.some(({ file }) => file === macro));
  const starts = tried.filter(({ macro }) => !isExecuted(macro));
  const running = starts.filter(({ macro, commands, fault }) =>
    fault === undefined ? commands.some(({ name }) => name === BEAM_ON) : files[macro]?.includes('beamOn'),
  );
  const [start] = running.length === 0 ? starts : running;
  if (start === undefined) return refuseDeck('', `must have a file called *${MACRO_SUFFIX} that no other executes`);
  if (running.length > 1) {
    const other = running[1]?.macro ?? '';
    return refuseDeck(other, `must be executed by ${start.macro}, or have no ${BEAM_ON}: one macro is started`);
  }
  if (start.fault !== undefined) throw start.fault;
  return start;
}

/** `fault`: why it cannot be followed, which may be that another sets it up. */
function follow(files: DeckFiles, macro: string): Start & { readonly fault?: ConversionError } {
  try {
    return { macro, commands: executeMacro(files, macro) };
  } catch (err) {
    if (!(err instanceof ConversionError)) throw err;
    return { macro, commands: [], fault: err };
  }
}

/** Names of macros in the commands of a file, as they are written. */
function listExecuted(files: DeckFiles, macro: string): string[] {
  return readCommands(files[macro] ?? '').flatMap(({ text }) => {
    const words = text.replaceAll('"', ' ').split(/ +/);
    const at = words.findIndex((word) => Object.hasOwn(EXECUTING, word.replaceAll(/\/{2,}/g, '/')));
    const place = EXECUTING[(words[at] ?? '').replaceAll(/\/{2,}/g, '/')];
    const name = place === undefined ? undefined : words[at + 1 + place];
    return name === undefined ? [] : nameMacro(name);
  });
}

/**
 * The only run of histories. Each run begins its scores anew, so that of several no result would stand for all.
 * @throws ConversionError `DECK_INVALID`
 */
export function findRun(files: DeckFiles): BeamRun {
  const { macro, commands } = startRun(files);
  const runs = commands
    .filter(({ name }) => name === BEAM_ON)
    .map((command) => ({ command, primaries: readHistories(command) }))
    .filter(({ primaries }) => primaries > 0); // none: the simulator is prepared
  const [run, second] = runs;
  if (run === undefined) return refuseDeck(macro, `must execute ${BEAM_ON} once, and executes it never`);
  if (second !== undefined) {
    const { file, line } = second.command;
    const message = `${BEAM_ON} is executed ${runs.length} times, and the scores begin anew each time; submit each run as a job`;
    return refuseLine(file, line.first, message);
  }
  const { command } = run;
  const passes = commands.filter(({ line }) => line === command.line).length;
  if (command.isNested || passes > 1) {
    const message = `${BEAM_ON} must stand on a line of its own that is executed once`;
    return refuseLine(command.file, command.line.first, message);
  }
  return { macro, ...run, commands };
}

function readHistories({ rest, file, line }: ExecutedCommand): number {
  const [histories = '1', macro] = rest.split(/\s+/).filter((word) => word !== '');
  if (macro !== undefined)
    refuseLine(file, line.first, `${BEAM_ON} executes ${macro} after each event, which is not supported here`);
  const value = readWholeNumber(histories, 'integer');
  if (value !== undefined && value >= 0) return value;
  return refuseLine(file, line.first, `${BEAM_ON} must have a whole number in digits, not ${histories}`);
}
