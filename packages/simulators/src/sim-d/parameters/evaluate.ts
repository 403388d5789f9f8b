import { refuseLine } from '../../deck/adopt-files.js';
import { readWholeNumber } from '../../deck/whole-number.js';
import { type ParameterTable, typeOf } from './parameter-table.js';
import type { Parameter } from './read-parameter-file.js';

/** Nanoseconds of a unit of time, by its names and symbols in Geant4, which counts in them. */
const NANOSECONDS: Readonly<Record<string, number>> = {
  ps: 1e-3,
  picosecond: 1e-3,
  ns: 1,
  nanosecond: 1,
  us: 1e3,
  microsecond: 1e3,
  ms: 1e6,
  millisecond: 1e6,
  s: 1e9,
  second: 1e9,
  min: 60e9,
  minute: 60e9,
  h: 3600e9,
  hour: 3600e9,
  d: 86_400e9,
  day: 86_400e9,
  y: 31_536_000e9,
  year: 31_536_000e9,
};
const REAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const OPERATORS = ['+', '-', '*'];
const TRUE = ['t', 'true', '1'];
const FALSE = ['f', 'false', '0'];
/** How a parameter names itself, as the files that are included set it. */
const SELF = 'inheritedvalue';
/** What a time feature is at a time: `Tf/<name>/Value`. */
const TIME_FEATURE = /^tf\/(.+)\/value$/;
const DEPTH_MAX = 100;
export const INTEGER_MAX = 2 ** 31 - 1;

/** Where and when a value is looked for. */
interface Looking {
  readonly table: ParameterTable;
  /** Undefined: at no time, since what changes in time is refused. */
  readonly timeNs: number | undefined;
  readonly depth: number;
}

/** One of the two values of a parameter, and what it is: nanoseconds, or a plain number. */
interface Operand {
  readonly value: number;
  readonly isTime: boolean;
  readonly isLiteral: boolean;
}

/**
 * The whole number that a parameter is at a time: a number, another parameter, or a sum, difference or product of two.
 * @throws ConversionError `DECK_INVALID` with file and line of what cannot be resolved
 */
export function evaluateInteger(table: ParameterTable, parameter: Parameter, timeNs?: number): number {
  const value = evaluate({ table, timeNs, depth: 0 }, parameter);
  if (Math.abs(value) <= INTEGER_MAX) return value;
  return refuse(parameter, `is ${value}, and the simulator counts to ${INTEGER_MAX}`);
}

/** Nanoseconds. @throws ConversionError `DECK_INVALID` */
export function evaluateTime(table: ParameterTable, parameter: Parameter): number {
  return evaluate({ table, timeNs: undefined, depth: 0 }, parameter);
}

/** @throws ConversionError `DECK_INVALID` */
export function evaluateBoolean(table: ParameterTable, parameter: Parameter, depth = 0): boolean {
  const words = parameter.value.split(/\s+/);
  const said = /^"\s*(\w+)\s*"$/.exec(parameter.value)?.[1]?.toLowerCase();
  if (said !== undefined && TRUE.includes(said)) return true;
  if (said !== undefined && FALSE.includes(said)) return false;
  const others = words.map((word) => find(table, parameter, word));
  const [first, , second] = others;
  if (first === undefined || depth > DEPTH_MAX) return refuse(parameter, 'must be "True" or "False"');
  if (words.length === 1) return evaluateBoolean(table, first, depth + 1);
  if (words.length !== 3 || words[1] !== '*' || second === undefined) return refuse(parameter, CANNOT);
  return evaluateBoolean(table, first, depth + 1) && evaluateBoolean(table, second, depth + 1);
}

/** Texts one after the other, other parameters put in; undefined: one of them is no text. */
export function evaluateText(table: ParameterTable, parameter: Parameter, depth = 0): string | undefined {
  const parts = parameter.value.match(/"[^"]*"|[^\s"]+/g) ?? [];
  if (depth > DEPTH_MAX) return undefined;
  let text = '';
  for (const part of parts) {
    if (part === '+') continue;
    const other = part.startsWith('"') ? part.slice(1, -1) : textOf(table, find(table, parameter, part), depth + 1);
    if (other === undefined) return undefined;
    text += other;
  }
  return text;
}

function textOf(table: ParameterTable, parameter: Parameter | undefined, depth: number): string | undefined {
  if (parameter === undefined) return undefined;
  return REAL.test(parameter.value) ? parameter.value : evaluateText(table, parameter, depth);
}

const CANNOT = 'cannot be resolved';

function evaluate(looking: Looking, parameter: Parameter): number {
  if (looking.depth > DEPTH_MAX) return refuse(parameter, 'refers to itself');
  const value = calculate(looking, parameter);
  return typeOf(looking.table, parameter).type === 'i' ? Math.round(value) : value;
}

function calculate(looking: Looking, parameter: Parameter): number {
  const words = parameter.value.split(/\s+/).filter((word) => word !== '');
  const unit = words.find((word) => Object.hasOwn(NANOSECONDS, word));
  const [left, operator, right, ...others] = words.filter((word) => word !== unit);
  const isTime = typeOf(looking.table, parameter).type === 'd';
  if (left === undefined || others.length > 0 || isTime !== (unit !== undefined)) return refuse(parameter, CANNOT);
  const a = readOperand(looking, parameter, left);
  const factor = unit === undefined ? 1 : (NANOSECONDS[unit] ?? 1);
  if (operator === undefined) return a.isTime || unit === undefined ? a.value : a.value * factor;
  if (!OPERATORS.includes(operator) || right === undefined) return refuse(parameter, CANNOT);
  const b = readOperand(looking, parameter, right);
  if (operator === '*') return a.value * b.value * (a.isTime || b.isTime ? 1 : factor);
  const [x, y] = [a, b].map((one) => (one.isLiteral ? one.value * factor : one.value));
  return operator === '+' ? (x ?? 0) + (y ?? 0) : (x ?? 0) - (y ?? 0);
}

function readOperand(looking: Looking, parameter: Parameter, word: string): Operand {
  const { table, depth } = looking;
  const { type } = typeOf(table, parameter);
  if (/^[+-]?[\d.]/.test(word)) {
    const value = type === 'i' ? readWholeNumber(word, 'integer') : REAL.test(word) ? Number(word) : undefined;
    if (value === undefined) return refuse(parameter, `has ${word}, which is no ${type === 'i' ? 'whole ' : ''}number`);
    return { value, isTime: false, isLiteral: true };
  }
  const other = find(table, parameter, word);
  if (other !== undefined) {
    const kind = typeOf(table, other).type;
    if (!['i', 'u', 'd'].includes(kind) || (kind === 'd' && type !== 'd')) {
      return refuse(parameter, `refers to ${word}, which is no number of its kind`);
    }
    return { value: evaluate({ ...looking, depth: depth + 1 }, other), isTime: kind === 'd', isLiteral: false };
  }
  const feature = TIME_FEATURE.exec(word.toLowerCase())?.[1];
  if (feature === undefined) return refuse(parameter, `refers to ${word}, which is not set`);
  return { value: readStep(looking, parameter, feature), isTime: false, isLiteral: false };
}

/** What a word names: itself as it is included, or another parameter. */
function find(table: ParameterTable, parameter: Parameter, word: string): Parameter | undefined {
  const key = word.toLowerCase();
  return key === SELF || key === parameter.key ? table.inherited(parameter) : table.parameters.get(key);
}

/** The value of a time feature of steps: that of the first of its times that is later; behind the last it begins anew. */
function readStep({ table, timeNs }: Looking, parameter: Parameter, feature: string): number {
  const [kind, times, values] = ['function', 'times', 'values'].map((part) =>
    table.parameters.get(`tf/${feature}/${part}`),
  );
  const what = kind === undefined ? undefined : evaluateText(table, kind)?.trim().toLowerCase();
  if (timeNs === undefined || times === undefined || values === undefined || what !== 'step') {
    return refuse(
      parameter,
      `refers to Tf/${feature}/Value, which changes in time; only steps of whole numbers are followed`,
    );
  }
  const ends = readVector(times, 'real');
  const numbers = readVector(values, 'integer');
  const range = ends.at(-1) ?? 0;
  if (ends.length !== numbers.length || !(range > 0))
    return refuse(values, `must have as many numbers as ${times.name}`);
  const time = timeNs < range ? timeNs : timeNs % range;
  const index = ends.findIndex((end) => end > time);
  return numbers[index] ?? refuse(parameter, CANNOT);
}

/** The numbers of a vector, times in nanoseconds. */
function readVector(parameter: Parameter, form: 'integer' | 'real'): number[] {
  const [count = '', ...words] = parameter.value.split(/\s+/);
  const length = readWholeNumber(count, 'integer') ?? 0;
  const unit = form === 'real' ? NANOSECONDS[words[length] ?? ''] : 1;
  const numbers = words
    .slice(0, length)
    .map((word) => (form === 'integer' ? readWholeNumber(word, form) : Number(word)));
  if (length < 1 || words.length !== length + (form === 'real' ? 1 : 0) || unit === undefined)
    return refuse(parameter, CANNOT);
  return numbers.map((value) =>
    value === undefined || !Number.isFinite(value) ? refuse(parameter, 'must have plain numbers') : value * unit,
  );
}

function refuse({ file, first, name }: Parameter, message: string): never {
  return refuseLine(file, first, `${name} ${message}`);
}
