import type { FindForeign, ForeignLine } from '../deck/adopt-files.js';
import { isDeckFile, isForeignPath } from '../deck/foreign-path.js';
import type { DeckFiles } from '../driver.js';

/*
 * Commands of Geant4's user interface that start programs, or read and write files of any name (Geant4 book for
 * application developers, "Control" and "Built-in commands"). Any file of a deck may be executed as a macro, so all are read.
 */

/** Wherever in a line they stand: `/control/doif` and its like run the rest of their line. */
const REFUSED: readonly (readonly [command: RegExp, why: string])[] = [
  [/\/control\/shell\b/, 'starts a program'],
  [/\/control\/macroPath\b/, 'looks for macros outside of the deck'],
  [/\/control\/(?:createHTML|saveHistory)\b/, 'writes files of its own choice'],
  [/\/control\/(?:getEnv|cout\/setCoutFile|cout\/setCerrFile)\b/, 'reads the environment, or takes the log away'],
  [/\/vis\/(?!disable\b)\w+/, 'draws, for which it starts viewers: there is no display; leave it out'],
  [/\/gui\/\w+/, 'needs a display; leave it out'],
];
/** Commands whose first argument is a macro. */
const EXECUTING = /\/control\/(?:execute|loop|foreach)\s+(\S+)/g;
/** Commands that run the rest of their line, so that a word may begin with a slash. */
const RUNNING = /^\/control\/(?:doif\w*|strdoif|if|alias)\b/;
/** XML that reads another file: an external entity, a module of a geometry, an inclusion. */
const XML_FILE =
  /<!ENTITY[^>]*(?:SYSTEM|PUBLIC\s+["'][^"']*["'])\s+["']([^"']*)["']|<!DOCTYPE[^>[]*(?:SYSTEM|PUBLIC\s+["'][^"']*["'])\s+["']([^"']*)["']|<file\b[^>]*\bname\s*=\s*["']([^"']*)["']|<\w+:include\b[^>]*\bhref\s*=\s*["']([^"']*)["']/gi;

/** Commands that start programs or open foreign files, and XML that reads them. */
export const findForeign: FindForeign = (_name, lines, files) => [
  ...findCommands(lines, files),
  ...findXmlFiles(lines.join('\n'), files),
];

function findCommands(lines: readonly string[], files: DeckFiles): ForeignLine[] {
  let continued = '';
  let first = 0;
  return lines.flatMap((text, index): ForeignLine[] => {
    if (continued === '') first = index;
    const whole = continued + text.trim();
    const isContinued = /[\\_]$/.test(whole);
    continued = isContinued ? whole.slice(0, -1) : '';
    // the line as it is, too: a name that ends with an underscore is not continued in every release
    const message = findFault(text.trim(), files) ?? (isContinued ? undefined : findFault(whole, files));
    return message === undefined ? [] : [{ line: first + 1, message }];
  });
}

function findFault(text: string, files: DeckFiles): string | undefined {
  const line = text.replace(/#.*$/, '').trim();
  if (!/^(?:\/|\{\w+\})/.test(line)) return undefined;
  const [command = '', ...words] = line.split(/\s+/);
  if (command.includes('{')) return `${command} hides its name in an alias; write it out`;
  for (const [refused, why] of REFUSED) {
    const found = refused.exec(line)?.[0];
    if (found !== undefined) return `${found} ${why}`;
  }
  for (const [, macro = ''] of line.matchAll(EXECUTING)) {
    const name = macro.replaceAll('"', '');
    if (!isDeckFile(name, files)) return `${command} executes ${name}, which is not in the deck`;
  }
  const path = words
    .map((word) => word.replaceAll('"', ''))
    .find((word) => isForeignPath(word) && !isNested(command, word));
  return path === undefined ? undefined : `${command} names ${path}: only files of the deck can be read and written`;
}

/** A command within a command. */
function isNested(command: string, word: string): boolean {
  return RUNNING.test(command) && /^\/\w+\/\w/.test(word) && !word.includes('..');
}

function findXmlFiles(text: string, files: DeckFiles): ForeignLine[] {
  return [...text.matchAll(XML_FILE)].flatMap((found) => {
    const file = found.slice(1).find((group) => group !== undefined) ?? '';
    if (isDeckFile(file, files)) return [];
    const line = text.slice(0, found.index).split('\n').length;
    return [{ line, message: `${found[0].split(/\s/, 1).join()} reads ${file}, which is not in the deck` }];
  });
}
