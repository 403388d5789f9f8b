import type { FindForeign, ForeignLine } from '../deck/adopt-files.js';
import { isForeignPath } from '../deck/foreign-path.js';
import { evaluateBoolean, evaluateInteger, evaluateText } from './parameters/evaluate.js';
import { type ParameterTable, readParameters } from './parameters/parameter-table.js';
import type { Parameter } from './parameters/read-parameter-file.js';

/** Why a parameter is refused; undefined: it is not. */
type Judge = (table: ParameterTable, parameter: Parameter) => string | undefined;

const RUNNING = /^ts\/\w*(?:shell|command|execute|script|macro|system)/;
const WAITING = /^ts\/\w*(?:pause|useqt)/;
const PYTHON = /python|\.py"/i;

/** Parameters that start something, or that tasks cannot share. */
const JUDGES: readonly (readonly [key: RegExp, judge: Judge])[] = [
  [RUNNING, () => 'runs commands'],
  [WAITING, (table, parameter) => (evaluateBoolean(table, parameter) ? 'waits for commands' : undefined)],
  [/^ts\/extrasequencefiles$/, () => 'runs further files, whose histories are not counted'],
  [/^ts\/seedfile$/, () => 'gives every task the same random numbers'],
  [/^ts\/restoreresultsfromfile$/, (table, one) => (evaluateBoolean(table, one) ? 'simulates nothing' : undefined)],
  [/^ts\/findseedforhistory$/, (table, one) => (evaluateInteger(table, one) >= 0 ? 'simulates nothing' : undefined)],
  [/^sc\/.+\/repeatsequenceuntil/, () => 'repeats the run as often as it takes; submit a job with a goal instead'],
  [
    /^sc\/.+\/outputafterrun$/,
    (table, one) =>
      evaluateBoolean(table, one) && table.parameters.get('tf/numberofsequentialtimes')?.value !== '1'
        ? 'writes each run into files of its own, which are not told apart'
        : undefined,
  ],
  [
    /^sc\/.+\/quantity$/,
    (table, one) =>
      textOf(table, one) === 'phasespace'
        ? 'asks for a phase space, which is not stored here; leave it out'
        : undefined,
  ],
  [
    /^sc\/.+\/outputtype$/,
    (table, one) =>
      ['csv', 'binary', 'ascii'].includes(textOf(table, one))
        ? undefined
        : 'must be csv or binary: others are not read',
  ],
];

function textOf(table: ParameterTable, parameter: Parameter): string {
  return evaluateText(table, parameter)?.trim().toLowerCase() ?? '';
}

/** Files that are included or named outside of the folder, parameters that start programs or cannot be shared, Python. */
export const findForeign: FindForeign = (files) => {
  const table = readParameters(files);
  const missing = table.missing.map(({ by, index, file }): ForeignLine => {
    return { file: by, line: index + 1, message: `includeFile names ${file}, which is not in the deck` };
  });
  const set = table.files.slice(0, -1).flatMap(({ parameters }) => [...parameters.values()]);
  const found = set.flatMap((parameter): ForeignLine[] => {
    const isInForce = table.parameters.get(parameter.key) === parameter;
    const message = findPath(table, parameter, isInForce) ?? (isInForce ? judge(table, parameter) : undefined);
    if (message === undefined) return [];
    return [{ file: parameter.file, line: parameter.first + 1, message: `${parameter.name} ${message}` }];
  });
  return [...missing, ...found];
};

function judge(table: ParameterTable, parameter: Parameter): string | undefined {
  if (PYTHON.test(`${parameter.name} ${parameter.value}`)) return 'starts Python';
  for (const [key, find] of JUDGES) if (key.test(parameter.key)) return find(table, parameter);
  return undefined;
}

/** Each text as it stands, also where it is overridden: what overrides it may take it up. */
function findPath(table: ParameterTable, parameter: Parameter, isInForce: boolean): string | undefined {
  const texts = [...parameter.value.matchAll(/"([^"]*)"/g)].map(([, quoted = '']) => quoted);
  const whole = isInForce && texts.length > 0 ? [evaluateText(table, parameter) ?? ''] : [];
  const path = [...texts, ...whole].find((text) => isForeignPath(text.trim()));
  return path === undefined ? undefined : `names ${path}: only files of the deck can be read and written`;
}
