import type { FindForeign, ForeignLine } from '../deck/adopt-files.js';
import { isDeckFile, isForeignPath } from '../deck/foreign-path.js';
import type { DeckFiles } from '../driver.js';

const INCLUDE = /^\s*includeFile\s*=\s*([^#]*)/i;
const PARAMETER = /^\s*([a-z]{1,3}:[^\s=]+)\s*=/i;
/** Parameters of the session that run commands. */
const RUNNING = /^[a-z]{1,3}:Ts\/\w*(?:Shell|Command|Execute|Script|Macro|System)/i;
/** Those that let somebody type some, unless they are off. */
const WAITING = /^[a-z]{1,3}:Ts\/\w*(?:Pause|UseQt)/i;
const OFF = /^\s*"(?:False|F|0)"\s*$/i;
const PYTHON = /Python|\.py"/i;

/** Files that are included or named outside of the folder, parameters that start programs, Python. */
export const findForeign: FindForeign = (_name, lines, files) =>
  lines.flatMap((text, index): ForeignLine[] => {
    const message = findFault(text, files);
    return message === undefined ? [] : [{ line: index + 1, message }];
  });

function findFault(text: string, files: DeckFiles): string | undefined {
  const included = INCLUDE.exec(text)?.[1]
    ?.replaceAll('"', ' ')
    .trim()
    .split(/[\s,]+/);
  const foreign = included?.find((name) => name !== '' && !isDeckFile(name, files));
  if (foreign !== undefined) return `includeFile names ${foreign}, which is not in the deck`;
  const parameter = PARAMETER.exec(text)?.[1];
  if (parameter === undefined) return undefined;
  if (RUNNING.test(parameter)) return `${parameter} runs commands`;
  const value = withoutComment(text.slice(text.indexOf('=') + 1));
  if (WAITING.test(parameter) && !OFF.test(value)) return `${parameter} waits for commands`;
  if (PYTHON.test(`${parameter} ${value}`)) return `${parameter} starts Python`;
  const path = [...value.matchAll(/"([^"]*)"/g)].map(([, quoted = '']) => quoted).find(isForeignPath);
  return path === undefined ? undefined : `${parameter} names ${path}: only files of the deck can be read and written`;
}

/** A `#` within quotes begins no comment. */
function withoutComment(value: string): string {
  return /^(?:[^"#]|"[^"]*")*/.exec(value)?.[0] ?? '';
}
