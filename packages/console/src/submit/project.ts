import { TEXTS } from '../texts.js';

const T = TEXTS.submit;
/** Of the interface. */
const TITLE_LENGTH_MAX = 256;

/** The parts of an editor's project that the console shows; everything else is passed on as it is. */
export interface Project {
  readonly project?: { readonly title?: string; readonly description?: string };
  readonly beam: Beam;
  readonly figureManager?: { readonly figures?: readonly Figure[] };
  readonly zoneManager?: {
    readonly zones?: readonly Zone[];
    readonly worldZone?: Figure & { readonly materialUuid?: string };
  };
  readonly detectorManager?: { readonly detectors?: readonly Figure[] };
  readonly materialManager?: { readonly materials?: readonly Material[] };
  readonly scoringManager?: { readonly outputs?: readonly Output[] };
  readonly [member: string]: unknown;
}

export interface Beam {
  readonly energy?: number;
  readonly energyUnit?: string;
  readonly energySpread?: number;
  readonly position?: readonly number[];
  readonly direction?: readonly number[];
  readonly sigma?: { readonly type?: string; readonly x?: number; readonly y?: number };
  readonly sourceType?: string;
  readonly sourceFile?: { readonly name?: string };
  readonly particle?: { readonly name?: string; readonly a?: number; readonly z?: number };
  readonly numberOfParticles?: number;
  readonly [member: string]: unknown;
}

export interface Figure {
  readonly uuid?: string;
  readonly name?: string;
  readonly type?: string;
  readonly colorHex?: number;
  readonly geometryData?: {
    readonly geometryType?: string;
    readonly position?: readonly number[];
    readonly rotation?: readonly number[];
    readonly parameters?: Readonly<Record<string, number>>;
  };
}

interface Zone {
  readonly uuid?: string;
  readonly name?: string;
  readonly materialUuid?: string;
}

interface Material {
  readonly uuid?: string;
  readonly name?: string;
  readonly density?: number;
  readonly icru?: number;
}

export interface Output {
  readonly name?: string;
  readonly detectorUuid?: string;
  readonly quantities?: readonly { readonly name?: string; readonly keyword?: string; readonly filter?: string }[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value can be taken for a project: what is not of the expected kind inside, the service names. */
export function isProject(value: unknown): value is Project {
  return isObject(value) && isObject(value.beam);
}

/** A list of objects, whatever a file holds in its place. */
export function listOf<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? (value.filter(isObject) as unknown as readonly T[]) : [];
}

/** A name as text, whatever a file holds in its place. */
export const nameOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? `${value}` : '';

/** Title of a project, or the name of the first input file. */
export function titleOf(input: unknown): string {
  if (!isObject(input)) return T.untitled;
  if (isProject(input)) {
    const title = isObject(input.project) ? input.project.title : undefined;
    return typeof title === 'string' && title !== '' ? title : T.untitled;
  }
  return Object.keys(input)[0] ?? T.untitled;
}

/** Members of a beam whose change makes its title another's: not how many particles are simulated. */
const TITLED = ['energy', 'energyUnit', 'energySpread'] as const;

/** Title of a project, with what was changed in its beam. */
export function titleWithChanges(original: Project, changed: Project): string {
  const changes = TITLED.filter((name) => original.beam[name] !== changed.beam[name]);
  const words = changes.map((name) => `${name} = ${changed.beam[name] ?? '–'}`).join(', ');
  return withChanges(titleOf(original), words);
}

/** A title with what was changed; no words: nothing was. */
export const withChanges = (title: string, words: string): string =>
  `${title}${words === '' ? '' : ` [${words}]`}`.slice(0, TITLE_LENGTH_MAX);

/** The project with another value in the beam. */
export function withBeam(project: Project, change: Partial<Beam>): Project {
  return { ...project, beam: { ...project.beam, ...change } };
}

/** What the beam is, in a line; of spots from a file only the server knows energies and sizes. */
export function beamWords(beam: Beam): string {
  const { particle, energy, energyUnit = 'MeV', energySpread, sourceFile, sourceType } = beam;
  const name = particle?.name ?? T.particles;
  if (sourceType === 'file') return `${name}, ${T.spots(sourceFile?.name ?? '?')}`;
  const spread = energySpread === undefined || energySpread === 0 ? '' : ` ± ${energySpread}`;
  return `${name}, ${energy ?? '?'}${spread} ${energyUnit}, ${shapeWords(beam)}`;
}

/** Sizes of flat fields are half-widths and a radius. */
function shapeWords({ sigma }: Beam): string {
  const { type, x = 0, y = 0 } = sigma ?? {};
  if (x === 0 && y === 0) return T.pencil;
  if (type === 'Flat square') return T.flatSquare(x, y);
  if (type === 'Flat circular') return T.flatCircle(y);
  return T.gaussianSpot(x, y);
}

/** Size of a figure or detector, in words, cm. */
export function sizeWords({ geometryData }: Figure): string {
  const p = geometryData?.parameters ?? {};
  const bins = [p.xSegments, p.radialSegments, p.ySegments, p.zSegments].filter((n) => n !== undefined && n > 1);
  const text =
    p.radius === undefined
      ? [p.width, p.height, p.depth].filter((n) => n !== undefined).join(' × ')
      : T.cylinder(p.radius, p.depth ?? 0);
  return `${text} cm${bins.length === 0 ? '' : T.bins(bins.join(' × '))}`;
}

/** What a dropped set of files is: one project, or a deck; or why neither. */
export type Dropped =
  | { readonly kind: 'editor'; readonly project: Project }
  | { readonly kind: 'files'; readonly files: Readonly<Record<string, string>> }
  | { readonly kind: 'fault'; readonly name: string; readonly why: string | undefined };

/** Reads files by their names and texts. A single .json must be a project; anything else is a deck. */
export function readDropped(files: Readonly<Record<string, string>>): Dropped {
  const [[name, text] = ['', ''], ...others] = Object.entries(files);
  if (others.length > 0 || !/\.json$/i.test(name)) return { kind: 'files', files };
  try {
    const value: unknown = JSON.parse(text);
    return isProject(value) ? { kind: 'editor', project: value } : { kind: 'fault', name, why: undefined };
  } catch (err) {
    return { kind: 'fault', name, why: T.notJson(err instanceof Error ? err.message : String(err)) };
  }
}

/** The place on the page that an error's field belongs to. */
export function placeOf(field: string): 'beam' | 'zones' | 'materials' | 'detectors' | 'outputs' | 'elsewhere' {
  const member = /^(?:sim_data|input_json|input_files)\/([^/]+)/.exec(field)?.[1];
  switch (member) {
    case 'beam':
      return 'beam';
    case 'figureManager':
    case 'zoneManager':
      return 'zones';
    case 'materialManager':
      return 'materials';
    case 'detectorManager':
      return 'detectors';
    case 'scoringManager':
      return 'outputs';
    default:
      return 'elsewhere';
  }
}

/** Which one of a list of the project an error's field belongs to, from 0; undefined: none of them. */
export function indexOf(field: string): number | undefined {
  const index = /\/(?:zones|materials|detectors|outputs)\/(\d+)(?:\/|$)/.exec(field)?.[1];
  return index === undefined ? undefined : Number(index);
}
