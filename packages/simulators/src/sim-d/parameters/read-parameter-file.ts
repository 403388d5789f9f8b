import { refuseLine } from '../../deck/adopt-files.js';
import { splitLines } from '../../deck/text-lines.js';

/** A parameter as a file sets it. */
export interface Parameter {
  readonly file: string;
  /** Of the line that it begins on and of the last that its value is on, from 0. */
  readonly first: number;
  readonly last: number;
  /** As it is written. */
  readonly name: string;
  /** The name in small letters, by which the simulator knows it. */
  readonly key: string;
  /** `d`, `u`, `i`, `b`, `s`, or a vector of them (`dv`); empty: that of the file that is overridden. */
  readonly type: string;
  /** It may change in time (`ic:`). */
  readonly isChangeable: boolean;
  /** Without comments, on one line. */
  readonly value: string;
}

/** A file that another includes, and where it says so. */
export interface Inclusion {
  readonly file: string;
  readonly index: number;
}

export interface ParameterFile {
  readonly name: string;
  readonly includes: readonly Inclusion[];
  readonly parameters: ReadonlyMap<string, Parameter>;
}

const TYPES = ['d', 'u', 'i', 'b', 's'];
const SINGLE_QUOTES = /[\u2018\u2019\u201C\u201D]/g;
const HYPHENS = /[\u2010-\u2015]/g;
/** Parameters of this kind may be set twice: the simulator writes them itself. */
const UNCHECKED = 'ma/patienttissue';
const INCLUDE = 'includefile';
/** What a file without another is said to include. */
const BUILT_IN = 'TOPAS_Built_In_Defaults';

/**
 * Reads a file of parameters as the simulator does (OpenTOPAS 4, TsParameterManager::ReadFile and TsParameterFile): a name, `=`, and a
 * value that goes on to the next line with a `=`, or to an empty one; `#` begins a comment, within quotes too; names in any case.
 * @throws ConversionError `DECK_INVALID` for what the simulator refuses: a type that is none, a parameter that is set twice
 */
export function readParameterFile(name: string, text: string): ParameterFile {
  const includes: Inclusion[] = [];
  const parameters = new Map<string, Parameter>();
  for (const { left, value, first, last } of listAssignments(text)) {
    if (left.toLowerCase() === INCLUDE) {
      for (const file of splitNames(value)) includes.push({ file, index: first });
      continue;
    }
    const parameter = { file: name, first, last, value, ...readName(name, first, left) };
    if (parameters.has(parameter.key) && !parameter.key.startsWith(UNCHECKED)) {
      refuseLine(name, first, `${parameter.name} is set before in the same file`);
    }
    parameters.set(parameter.key, parameter);
  }
  return { name, includes, parameters };
}

/** Names of the files that a file of parameters includes. */
export function listIncluded(text: string): string[] {
  return listAssignments(text)
    .filter(({ left }) => left.toLowerCase() === INCLUDE)
    .flatMap(({ value }) => splitNames(value));
}

/** Names of files of the deck, which all lie in one folder. */
function splitNames(value: string): string[] {
  return value
    .split(/\s+/)
    .map((name) => name.replace(/^\.\//, ''))
    .filter((name) => name !== '' && name !== BUILT_IN);
}

interface Assignment {
  readonly left: string;
  readonly value: string;
  readonly first: number;
  readonly last: number;
}

function listAssignments(text: string): Assignment[] {
  const found: { left: string; parts: string[]; first: number; last: number }[] = [];
  let isOpen = false;
  for (const [index, line] of splitLines(text).entries()) {
    const said = (line.text.split('#', 1)[0] ?? '').replaceAll(SINGLE_QUOTES, '"').replaceAll(HYPHENS, '-');
    const equals = said.indexOf('=');
    const open = found.at(-1);
    if (equals !== -1) {
      found.push({ left: said.slice(0, equals).trim(), parts: [said.slice(equals + 1)], first: index, last: index });
      isOpen = true;
    } else if (line.text.trim() === '') isOpen = false;
    else if (isOpen && open !== undefined && said.trim() !== '') {
      open.parts.push(said);
      open.last = index;
    }
  }
  return found.map(({ parts, ...one }) => ({ ...one, value: parts.join(' ').trim() }));
}

function readName(
  file: string,
  index: number,
  left: string,
): Pick<Parameter, 'name' | 'key' | 'type' | 'isChangeable'> {
  const colon = left.indexOf(':');
  const name = left.slice(colon + 1);
  const key = name.toLowerCase();
  if (colon === -1) return { name, key, type: '', isChangeable: false };
  const written = left.slice(0, colon).toLowerCase();
  const isChangeable = written.endsWith('c');
  const type = isChangeable ? written.slice(0, -1) : written;
  if (!TYPES.includes(type.replace(/v$/, ''))) refuseLine(file, index, `${left}: there is no type "${written}"`);
  return { name, key, type, isChangeable };
}
