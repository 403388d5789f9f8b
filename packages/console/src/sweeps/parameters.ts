import {
  applyTemplate,
  rangeOf,
  type TemplateParameter,
  templateFaults,
  templateValues,
} from '@tally/client/templates';
import { nameOf, type Project } from '../submit/project.js';
import { SWEEP_TEXTS as T } from '../texts/sweeps.js';

/** A number of a project that a sweep may change. */
export interface Parameter {
  /** Names from the outside in, joined by points; numbers are indices of lists. As `tally sweep --set` takes it. */
  readonly path: string;
  readonly label: string;
  /** Empty: it has none. */
  readonly unit: string;
  readonly value: number;
  readonly group: string;
  /** Parameters of the template that this is one of: what depends on it moves, too. Undefined: this is a place of the project. */
  readonly template?: readonly TemplateParameter[];
}

const LENGTH = 'cm';
const XYZ = ['x', 'y', 'z'];

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const partOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Every number of a value by its path; lists of numbers by index. */
function* numbersIn(value: unknown, path: readonly string[]): Generator<readonly [readonly string[], number]> {
  if (typeof value === 'number' && Number.isFinite(value)) yield [path, value];
  else if (Array.isArray(value) || isObject(value))
    for (const [name, inner] of Object.entries(value)) yield* numbersIn(inner, [...path, name]);
}

interface Part {
  readonly path: readonly string[];
  readonly of: unknown;
  readonly group: string;
  readonly name: string;
}

/** Figures, detectors and materials of a project, by the names that people gave them. */
function partsOf(project: Project): Part[] {
  const listed = (manager: string, list: string, group: string, inside: string) =>
    itemsOf(partOf(project[manager], list)).map((item, i) => ({
      path: [manager, list, String(i), ...(inside === '' ? [] : [inside])],
      of: inside === '' ? item : partOf(item, inside),
      group,
      name: nameOf(partOf(item, 'name')) || `${group} ${i + 1}`,
    }));
  return [
    ...listed('figureManager', 'figures', T.groups.figures, 'geometryData'),
    ...listed('detectorManager', 'detectors', T.groups.detectors, 'geometryData'),
    ...listed('materialManager', 'materials', T.groups.materials, ''),
  ];
}

const WORDS: Readonly<Record<string, string>> = T.words;
/** `zSegments` → `z segments` */
const inWords = (name: string): string =>
  WORDS[name] ?? name.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);

function unitOf(path: readonly string[]): string {
  const name = path.at(-1) ?? '';
  if (path.includes('position') || ['width', 'height', 'depth', 'radius', 'innerRadius'].includes(name)) return LENGTH;
  if (path.includes('rotation')) return '°';
  return name === 'density' ? 'g/cm³' : '';
}

function labelOf(inside: readonly string[]): string {
  const name = inside.at(-1) ?? '';
  const isVector = /^\d$/.test(name) && XYZ[Number(name)] !== undefined;
  return isVector ? `${inWords(inside.at(-2) ?? '')} ${XYZ[Number(name)]}` : inWords(name);
}

/** Numbers of a beam with their labels; those that say what kind of thing something is are left out. */
function ofBeam({ beam }: Project): Parameter[] {
  const energy = nameOf(beam.energyUnit) || 'MeV';
  const units: Readonly<Record<string, string>> = {
    energy,
    energySpread: energy,
    energyLowCutoff: energy,
    energyHighCutoff: energy,
    'sigma.x': LENGTH,
    'sigma.y': LENGTH,
    sad: LENGTH,
  };
  return [...numbersIn(beam, [])]
    .filter(([path]) => path[0] !== 'particle' && path[0] !== 'sourceFile')
    .map(([path, value]) => {
      const name = path.join('.');
      const label = T.beamWords[name as keyof typeof T.beamWords] ?? `${T.groups.beam}: ${labelOf(path)}`;
      const unit = units[name] ?? unitOf(path);
      return { path: `beam.${name}`, label, unit, value, group: T.groups.beam };
    })
    .sort((a, b) => Number(b.path === 'beam.energy') - Number(a.path === 'beam.energy'));
}

/** Numbers of a project that a sweep may change, the beam's energy first; the others are named by what they belong to. */
export function parametersOf(project: Project): Parameter[] {
  const parts = partsOf(project).flatMap(({ path, of, group, name }) =>
    [...numbersIn(of, [])]
      .filter(([inside]) => !/^(?:colorHex|icru|opacity|visible|version|stoppingPower)$/i.test(inside[0] ?? ''))
      .map(([inside, value]) => ({
        path: [...path, ...inside].join('.'),
        label: `${name}: ${labelOf(inside)}`,
        unit: unitOf(inside),
        value,
        group,
      })),
  );
  const known = [...ofBeam(project), ...parts];
  const paths = new Set(known.map(({ path }) => path));
  const physics = [...numbersIn(project.physic, ['physic'])].map(([path, value]) => ({
    path: path.join('.'),
    label: labelOf(path),
    unit: unitOf(path),
    value,
    group: T.groups.physics,
  }));
  return [...known, ...physics.filter(({ path }) => !paths.has(path))];
}

/** Parameters of a template, with the values that a project made from it has. */
export function templateParametersOf(template: readonly TemplateParameter[], project: Project): Parameter[] {
  const values = templateValues(template, project);
  return template.map((parameter) => ({
    path: parameter.name,
    label: `${parameter.label}, ${rangeOf(parameter)}`,
    unit: parameter.unit,
    value: values[parameter.name] ?? parameter.default,
    group: T.groups.template,
    template,
  }));
}

/** Why a template does not take a value; undefined: it does. */
export function faultOf({ path, template = [] }: Parameter, values: readonly number[]): string | undefined {
  if (template.length === 0) return undefined;
  const [fault] = values.flatMap((value) => templateFaults(template, { [path]: value }));
  return fault?.message;
}

/** The project with another value of a parameter, and of everything that depends on it. */
export function withValue(project: Project, { path, template }: Parameter, value: number): Project {
  if (template === undefined) return withNumber(project, path, value);
  const values = { ...templateValues(template, project), [path]: value };
  return applyTemplate({ parameters: template, project }, values) as Project;
}

/** The project with another number at a place that it has. */
export function withNumber(project: Project, path: string, value: number): Project {
  return assign(project, path.split('.'), value) as Project;
}

function assign(of: unknown, [name, ...rest]: readonly string[], value: number): unknown {
  if (name === undefined) return value;
  if (Array.isArray(of)) return of.map((item: unknown, i) => (String(i) === name ? assign(item, rest, value) : item));
  return isObject(of) && Object.hasOwn(of, name) ? { ...of, [name]: assign(of[name], rest, value) } : of;
}

/** A parameter of a sweep in words, by its path: as the project calls it, where that is known. */
export function parameterOf(project: Project | undefined, path: string): Pick<Parameter, 'label' | 'unit'> {
  const found = project && parametersOf(project).find((one) => one.path === path);
  return found ?? { label: path, unit: '' };
}
