import { refuseDeck, refuseLine } from '../../deck/adopt-files.js';
import type { DeckFiles } from '../../driver.js';
import { DEFAULT_PARAMETERS } from './defaults.js';
import {
  type Inclusion,
  listIncluded,
  type Parameter,
  type ParameterFile,
  readParameterFile,
} from './read-parameter-file.js';

const PARAMETER_SUFFIX = '.txt';
/** What every file of parameters has and other texts have not. */
const PARAMETER_LINE = /^[ \t]*(?:(?:[a-z]{1,3}:)?[a-z]\w*\/[^\s=]+|includeFile)[ \t]*=/im; // no \s: of many empty lines each would be tried from
/** Files deep that includes are followed. */
const DEPTH_MAX = 200;

/** The parameters of a deck, as they count when it is run. */
export interface ParameterTable {
  /** The file that is run. */
  readonly main: ParameterFile;
  /** Every file that is read, the simulator's own parameters last. */
  readonly files: readonly ParameterFile[];
  /** What is included and not in the deck. */
  readonly missing: readonly (Inclusion & { readonly by: string })[];
  /** By names in small letters: the including file wins. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** What a parameter is in the files that the one of `parameter` includes. */
  inherited(parameter: Parameter): Parameter | undefined;
}

/** Whether a file of a deck may be one of parameters. */
function isParameterText(text: string): boolean {
  return PARAMETER_LINE.test(text);
}

/** The file that is run: the one that no other includes. @throws ConversionError `DECK_INVALID` */
export function findMain(files: DeckFiles): string {
  const texts = Object.entries(files).filter(([, text]) => isParameterText(text));
  const included = new Set(texts.flatMap(([, text]) => listIncluded(text)));
  const mains = texts.map(([name]) => name).filter((name) => name.endsWith(PARAMETER_SUFFIX) && !included.has(name));
  const [main] = mains;
  if (main === undefined) return refuseDeck('', `must have a file called *${PARAMETER_SUFFIX} that no other includes`);
  return mains.length === 1 ? main : refuseDeck(mains[1] ?? '', `must be included by ${main}, which is run`);
}

/** A file with what it and those that it includes set. */
interface Chain {
  readonly file: ParameterFile;
  /** Of the included files. */
  readonly below: ReadonlyMap<string, Parameter>;
  readonly all: ReadonlyMap<string, Parameter>;
}

/**
 * Reads the file that is run and the chain of those that it includes, as the simulator does (OpenTOPAS 4, TsParameterFile): of two
 * files that set a parameter the including one wins; two branches that set one differently are refused, unless the file that
 * includes both sets it.
 * @throws ConversionError `DECK_INVALID`
 */
export function readParameters(files: DeckFiles): ParameterTable {
  const chains = new Map<string, Chain>();
  const missing: (Inclusion & { by: string })[] = [];
  const builtIn = readParameterFile('', DEFAULT_PARAMETERS);
  const defaults: Chain = { file: builtIn, below: new Map(), all: builtIn.parameters };
  const open: string[] = [];
  const readChain = (name: string): Chain => {
    const known = chains.get(name);
    if (known !== undefined) return known;
    if (open.length > DEPTH_MAX) refuseDeck(name, `is included more than ${DEPTH_MAX} files deep`);
    open.push(name);
    const file = readParameterFile(name, files[name] ?? '');
    const below = file.includes.flatMap(({ file: other, index }): Chain[] => {
      if (open.includes(other)) refuseLine(name, index, `${other} includes itself`);
      if (Object.hasOwn(files, other)) return [readChain(other)];
      missing.push({ file: other, index, by: name });
      return [];
    });
    open.pop();
    const chain = join(file, below.length === 0 ? [defaults] : below);
    chains.set(name, chain);
    return chain;
  };
  const top = readChain(findMain(files));
  return {
    main: top.file,
    files: [...chains.values()].map(({ file }) => file).concat(builtIn),
    missing,
    parameters: top.all,
    inherited: ({ file, key }) => (chains.get(file) ?? defaults).below.get(key),
  };
}

function join(file: ParameterFile, included: readonly Chain[]): Chain {
  const below = new Map<string, Parameter>();
  for (const { all } of included) {
    for (const [key, parameter] of all) {
      const other = below.get(key);
      if (other !== undefined && other !== parameter && !file.parameters.has(key)) {
        const places = `${other.file}, line ${other.first + 1}, and ${parameter.file}, line ${parameter.first + 1}`;
        refuseDeck(file.name, `${parameter.name} is set in two branches, ${places}: set it in ${file.name}`);
      }
      if (other === undefined) below.set(key, parameter);
    }
  }
  return { file, below, all: new Map([...below, ...file.parameters]) };
}

/** The type of a parameter and whether it may change: where it does not say, those of what it overrides. */
export function typeOf(table: ParameterTable, parameter: Parameter): Pick<Parameter, 'type' | 'isChangeable'> {
  for (let one: Parameter | undefined = parameter; one !== undefined; one = table.inherited(one)) {
    if (one.type !== '') return one;
  }
  return refuseLine(
    parameter.file,
    parameter.first,
    `${parameter.name} has no type, and no included file gives it one`,
  );
}
