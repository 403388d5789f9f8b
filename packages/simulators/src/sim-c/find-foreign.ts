import type { FindForeign, ForeignLine } from '../deck/adopt-files.js';
import { isDeckFile, isForeignPath } from '../deck/foreign-path.js';
import type { DeckFiles } from '../driver.js';
import { findXmlFiles } from './find-xml-files.js';
import { type ExecutedCommand, nameMacro } from './macro/execute-macro.js';
import { startRun } from './macro/find-run.js';

/** What of /control is allowed; the rest starts programs, or reads and writes files of any name (Geant4 book for application developers). */
const CONTROL =
  `execute loop foreach if doif strif strdoif ifBatch doifBatch ifInteractive doifInteractive alias unalias listAlias
getVal add subtract multiply divide remainder echo verbose useDoublePrecision suppressAbortion manual maximumStoredHistory
stopSavingHistory cout/useBuffer cout/prefixString cout/ignoreThreadsExcept cout/ignoreInitializationCout`
    .split(/\s+/)
    .map((name) => `/control/${name}`);
/** Commands of which the first word is a macro, and those of which the fourth is. */
const EXECUTING = [
  '/control/execute',
  '/control/loop',
  '/control/foreach',
  '/control/ifBatch',
  '/control/ifInteractive',
];
const EXECUTING_IF = ['/control/if', '/control/strif'];
/** Commands that execute a command that they are given, which is looked at when they do. */
const NESTING = [
  '/control/doif',
  '/control/strdoif',
  '/control/doifBatch',
  '/control/doifInteractive',
  '/control/alias',
];

/** Commands that start programs or open foreign files, as they are executed, and XML that reads them. */
export const findForeign: FindForeign = (files) => [...findCommands(files), ...findXml(files)];

function findCommands(files: DeckFiles): ForeignLine[] {
  const found = startRun(files).commands.flatMap((command): ForeignLine[] => {
    const message = findFault(command, files);
    return message === undefined ? [] : [{ file: command.file, line: command.line.first + 1, message }];
  });
  // a loop comes to a line several times
  return [...new Map(found.map((one) => [`${one.file} ${one.line} ${one.message}`, one])).values()];
}

function findFault({ name, rest }: ExecutedCommand, files: DeckFiles): string | undefined {
  if (name.startsWith('/control/') && !CONTROL.includes(name))
    return `${name} is not supported: it reaches beyond the deck`;
  if (name.startsWith('/gui/')) return `${name} needs a display; leave it out`;
  if (name.startsWith('/vis/') && name !== '/vis/disable') {
    return `${name} draws, for which it starts viewers: there is no display; leave it out`;
  }
  const words = rest.split(/\s+/);
  const macro =
    name === '/control/execute'
      ? rest
      : EXECUTING.includes(name)
        ? words[0]
        : EXECUTING_IF.includes(name)
          ? words[3]
          : undefined;
  if (macro !== undefined && !isDeckFile(nameMacro(macro), files)) {
    return `${name} executes ${nameMacro(macro)}, which is not in the deck`;
  }
  if (NESTING.includes(name)) return undefined;
  const path = words.map((word) => word.replaceAll(/["']/g, '')).find(isForeignPath);
  return path === undefined ? undefined : `${name} names ${path}: only files of the deck can be read and written`;
}

function findXml(files: DeckFiles): ForeignLine[] {
  return Object.entries(files).flatMap(([file, text]) =>
    findXmlFiles(text)
      .filter(({ name }) => !isDeckFile(name, files))
      .map(({ line, tag, name }) => ({ file, line, message: `${tag} reads ${name}, which is not in the deck` })),
  );
}
