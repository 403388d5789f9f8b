import { UserError } from '../exit-codes.js';

/** A place in a project and what to put there. */
export interface Assignment {
  /** Names from the outside in; numbers are indices of lists. */
  readonly path: readonly string[];
  readonly values: readonly (number | string | boolean)[];
}

const VALUES_MAX = 10_000;

function readScalar(text: string): number | string | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** `70:230:10` (both ends belong to it), `70,100,150`, or one value. @throws UserError */
function readValues(text: string): Assignment['values'] {
  const range = text.split(':');
  if (range.length !== 3 || range.some((part) => part.trim() === '' || !Number.isFinite(Number(part)))) {
    return text.split(',').map((part) => readScalar(part.trim()));
  }
  const [from = 0, to = 0, step = 0] = range.map(Number);
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  if (!(step !== 0 && count >= 1 && count <= VALUES_MAX)) throw new UserError(`not a range from:to:step: ${text}`);
  return Array.from({ length: count }, (_, i) => Number((from + i * step).toPrecision(12)));
}

/** `beam.energy=70:230:10` @throws UserError */
export function readAssignment(text: string): Assignment {
  const at = text.indexOf('=');
  if (at < 1) throw new UserError(`--set wants path=value, not ${text}`);
  return { path: text.slice(0, at).split('.'), values: readValues(text.slice(at + 1)) };
}

/** A parameter of a template and its values. */
export interface ParameterValues {
  readonly name: string;
  readonly values: readonly number[];
}

/** `energy=70:230:10` @throws UserError */
export function readParameter(text: string): ParameterValues {
  const at = text.indexOf('=');
  if (at < 1) throw new UserError(`--param wants name=value, not ${text}`);
  const values = readValues(text.slice(at + 1)).map((value) => {
    if (typeof value !== 'number') throw new UserError(`--param ${text}: "${value}" is not a number`);
    return value;
  });
  return { name: text.slice(0, at), values };
}

/**
 * The project with another value at a place that it has.
 * @throws UserError when it does not have it: a misspelt path would change nothing
 */
export function assign(project: unknown, path: readonly string[], value: number | string | boolean): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const isKnown = typeof project === 'object' && project !== null && Object.hasOwn(project, name);
  if (!isKnown) throw new UserError(`the project has no ${path.join('.')}`);
  const changed = assign(Reflect.get(project, name), rest, value);
  return Array.isArray(project)
    ? project.map((item: unknown, i) => (String(i) === name ? changed : item))
    : { ...project, [name]: changed };
}

/** Every combination of the values, the last one the fastest. */
export function combinations(
  assignments: readonly Pick<Assignment, 'values'>[],
): (readonly (number | string | boolean)[])[] {
  let all: (readonly (number | string | boolean)[])[] = [[]];
  for (const { values } of assignments) all = all.flatMap((before) => values.map((value) => [...before, value]));
  if (all.length > VALUES_MAX) throw new UserError(`${all.length} jobs are more than ${VALUES_MAX}`);
  return all;
}
