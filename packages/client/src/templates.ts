/** A place in a project that a parameter moves: its value there is `value · scale + offset`. */
export interface TemplateTarget {
  /** JSON pointer (RFC 6901) to a number of the project. */
  readonly pointer: string;
  /** 1 unless given. */
  readonly scale?: number | undefined;
  /** 0 unless given, in the unit of the place. */
  readonly offset?: number | undefined;
}

/** A figure of a template that its user may change. */
export interface TemplateParameter {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  /** Of a slider; values between its steps are allowed. */
  readonly step: number;
  readonly default: number;
  readonly targets: readonly TemplateTarget[];
}

/** The parts of a template that its project is made from. */
export interface TemplateSource {
  readonly parameters: readonly TemplateParameter[];
  readonly project: Readonly<Record<string, unknown>>;
}

/** A value that a template does not take. */
export interface TemplateFault {
  /** Name of the parameter. */
  readonly parameter: string;
  /** Names its label, its unit and its limits. */
  readonly message: string;
}

/** Values that a template does not take; `faults` has each of them. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  constructor(readonly faults: readonly TemplateFault[]) {
    super(faults.map(({ message }) => message).join('\n'));
  }
}

/** Significant digits of a value that is computed: 0.1 + 0.2 is written as 0.3. */
const DIGITS = 12;

const quantity = (value: number, unit: string): string => (unit === '' ? `${value}` : `${value} ${unit}`);

/** A parameter's range as people read it: `0.2 to 6 cm`. */
export const rangeOf = ({ min, max, unit }: TemplateParameter): string => `${min} to ${quantity(max, unit)}`;

/** What is wrong with values for a template: unknown parameters, and values outside their ranges. Empty: nothing. */
export function templateFaults(
  parameters: readonly TemplateParameter[],
  values: Readonly<Record<string, number>>,
): TemplateFault[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const parameter = parameters.find((one) => one.name === name);
    if (parameter === undefined) {
      const names = parameters.map((one) => one.name).join(', ');
      return [{ parameter: name, message: `there is no parameter ${name}; there are ${names}` }];
    }
    if (value >= parameter.min && value <= parameter.max) return [];
    const message = `${parameter.label} (${name}) must be ${rangeOf(parameter)}, not ${value}`;
    return [{ parameter: name, message }];
  });
}

/**
 * The project of a template with these values; parameters without one have their default. Where several parameters move the same place,
 * their terms are added: the middle of a slab is `depth + thickness / 2`.
 *
 * @param values - by name of the parameter, in its unit
 * @returns a new project, which shares what has not changed with that of the template
 * @throws TemplateError for an unknown parameter or a value outside its range
 */
export function applyTemplate(
  { parameters, project }: TemplateSource,
  values: Readonly<Record<string, number>> = {},
): Record<string, unknown> {
  const faults = templateFaults(parameters, values);
  if (faults.length > 0) throw new TemplateError(faults);
  const places = new Map<string, number>();
  for (const parameter of parameters) {
    const value = Object.hasOwn(values, parameter.name) ? (values[parameter.name] ?? 0) : parameter.default;
    for (const { pointer, scale = 1, offset = 0 } of parameter.targets)
      places.set(pointer, (places.get(pointer) ?? 0) + value * scale + offset);
  }
  let changed: unknown = project;
  for (const [pointer, value] of places) changed = withNumber(changed, namesOf(pointer), value, pointer);
  return changed as Record<string, unknown>;
}

/**
 * The values of a template's parameters that a project has: what {@link applyTemplate} would be called with. A parameter that cannot be told
 * from the numbers of the project has its default.
 */
export function templateValues(
  parameters: readonly TemplateParameter[],
  project: Readonly<Record<string, unknown>>,
): Record<string, number> {
  const known = new Map<string, number>();
  const termsAt = (pointer: string) =>
    parameters.flatMap(({ name, targets }) =>
      targets.filter((target) => target.pointer === pointer).map((target) => ({ name, ...target })),
    );
  const solve = (name: string, pointer: string): number | undefined => {
    let [rest, scaleOfOwn] = [numberAt(project, pointer), 0];
    for (const { name: owner, scale = 1, offset = 0 } of termsAt(pointer)) {
      rest -= offset;
      if (owner === name) scaleOfOwn += scale;
      else rest -= (known.get(owner) ?? Number.NaN) * scale;
    }
    const value = Number((rest / scaleOfOwn).toPrecision(DIGITS));
    return Number.isFinite(value) ? value : undefined;
  };
  // a parameter that shares all of its places is told once the others are: as many rounds as there are parameters
  for (const _ of parameters)
    for (const { name, targets } of parameters) {
      if (known.has(name)) continue;
      const [value] = targets.flatMap(({ pointer }) => solve(name, pointer) ?? []);
      if (value !== undefined) known.set(name, value);
    }
  return Object.fromEntries(
    parameters.map((parameter) => [parameter.name, known.get(parameter.name) ?? parameter.default]),
  );
}

/** What of a template was changed, as a title says it: `thickness = 3 cm, depth = 5 cm`. Empty: nothing. */
export function templateChanges(
  parameters: readonly TemplateParameter[],
  values: Readonly<Record<string, number>>,
): string {
  return parameters
    .flatMap(({ name, unit, default: usual }) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return value === undefined || value === usual ? [] : [`${name} = ${quantity(value, unit)}`];
    })
    .join(', ');
}

/** NaN: there is no number. */
function numberAt(project: Readonly<Record<string, unknown>>, pointer: string): number {
  const value = namesOf(pointer).reduce<unknown>(memberOf, project);
  return typeof value === 'number' ? value : Number.NaN;
}

/** Names of a JSON pointer, from the outside in (RFC 6901). */
const namesOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The project with another number at a place that has one; what the place is not in stays the same object. */
function withNumber(owner: unknown, [name, ...rest]: readonly string[], value: number, pointer: string): unknown {
  if (name === undefined) {
    if (typeof owner !== 'number') throw new Error(`the project has no number at ${pointer}`);
    return Number(value.toPrecision(DIGITS));
  }
  const changed = withNumber(memberOf(owner, name), rest, value, pointer);
  return Array.isArray(owner)
    ? owner.map((item: unknown, i) => (String(i) === name ? changed : item))
    : { ...(owner as object), [name]: changed };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (Reflect.get(value, name) as unknown)
    : undefined;
}
