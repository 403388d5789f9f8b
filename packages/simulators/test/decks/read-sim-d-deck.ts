import type { Point } from '../zones/locate-in-project.js';

/** Parameters of a deck of simD: value and type by name; knows nothing of how they were written. */
export type SimDParameters = ReadonlyMap<string, { readonly type: string; readonly value: string }>;

const LINE = /^(d|u|i|b|s|dv|uv|iv|bv|sv):(\S+) = (.+)$/;

export function readSimDParameters(text: string): SimDParameters {
  const parameters = new Map<string, { type: string; value: string }>();
  const known = new Set<string>();
  for (const line of text.split('\n').filter((one) => one.trim() !== '' && !one.startsWith('#'))) {
    const [, type, name, value] = LINE.exec(line) ?? [];
    if (type === undefined || name === undefined || value === undefined) throw new Error(`not a parameter: ${line}`);
    if (known.has(name.toLowerCase())) throw new Error(`${name} stands twice`);
    known.add(name.toLowerCase());
    parameters.set(name, { type, value });
  }
  return parameters;
}

/** A number in cm, degrees, MeV, g/cm3 … as the deck's own unit says. */
export function numberOf(parameters: SimDParameters, name: string): number | undefined {
  const value = parameters.get(name)?.value.split(' ')[0];
  return value === undefined ? undefined : Number(value);
}

export function textOf(parameters: SimDParameters, name: string): string | undefined {
  return parameters.get(name)?.value.replaceAll('"', '');
}

/** Values of a vector, without the leading count, which must be right. */
export function valuesOf(parameters: SimDParameters, name: string): string[] {
  const words = (parameters.get(name)?.value ?? '0').replaceAll('"', '').split(' ');
  const values = words.slice(1, 1 + Number(words[0]));
  if (values.length !== Number(words[0])) throw new Error(`${name} has a wrong count`);
  return values;
}

interface Node {
  readonly name: string;
  readonly material: string | undefined;
  /** World of the component: the mass world or the name of a parallel one. */
  readonly world: string;
  readonly parent: string | undefined;
  /** From the parent's coordinates. */
  readonly toLocal: (point: Point) => Point;
  readonly holds: (local: Point) => boolean;
}

export interface SimDGeometry {
  /** Components with a material, by world and parent. */
  readonly children: ReadonlyMap<string, readonly Node[]>;
  readonly world: Node;
  /** Parallel worlds with materials, the last one on top. */
  readonly layers: readonly string[];
}

export function readSimDGeometry(parameters: SimDParameters): SimDGeometry {
  const names = [...parameters.keys()].flatMap((name) => /^Ge\/(\w+)\/Type$/.exec(name)?.[1] ?? []);
  const nodes = names.map((name): Node => readNode(parameters, name));
  const world = nodes.find(({ name }) => name === 'World');
  if (world === undefined) throw new Error('there is no World');
  const children = new Map<string, Node[]>();
  for (const node of nodes.filter(({ material }) => material !== undefined)) {
    const key = `${node.world}/${node.parent}`;
    children.set(key, [...(children.get(key) ?? []), node]);
  }
  return { children, world, layers: valuesOf(parameters, 'Ph/Default/LayeredMassGeometryWorlds').toReversed() };
}

/**
 * The material at a point given in the deck's coordinates: of the topmost world that has one. Siblings of one mother
 * that share the point are an error, as they are to the simulator.
 */
export function materialAt(geometry: SimDGeometry, point: Point): string | undefined {
  for (const layer of geometry.layers) {
    const node = descend(geometry, 'World', point, layer);
    if (node !== undefined) return node.material;
  }
  if (!geometry.world.holds(point)) return undefined;
  return (descend(geometry, 'World', point, '') ?? geometry.world).material;
}

function descend(geometry: SimDGeometry, parent: string, point: Point, world: string): Node | undefined {
  let hit: { node: Node; local: Point } | undefined;
  for (const node of geometry.children.get(`${world}/${parent}`) ?? []) {
    const local = node.toLocal(point);
    if (!node.holds(local)) continue;
    if (hit !== undefined) throw new Error(`${hit.node.name} and ${node.name} overlap`);
    hit = { node, local };
  }
  return hit === undefined ? undefined : (descend(geometry, hit.node.name, hit.local, world) ?? hit.node);
}

function readNode(parameters: SimDParameters, name: string): Node {
  const read = (parameter: string): number | undefined => numberOf(parameters, `Ge/${name}/${parameter}`);
  const [tx, ty, tz] = [read('TransX') ?? 0, read('TransY') ?? 0, read('TransZ') ?? 0];
  const radians = (parameter: string): number => ((read(parameter) ?? 0) * Math.PI) / 180;
  const turns = ['RotX', 'RotY', 'RotZ'].map(radians).map((angle) => [Math.cos(angle), Math.sin(angle)] as const);
  const [[cx, sx] = NO_TURN, [cy, sy] = NO_TURN, [cz, sz] = NO_TURN] = turns;
  return {
    name,
    material: textOf(parameters, `Ge/${name}/Material`),
    world: textOf(parameters, `Ge/${name}/ParallelWorldName`) ?? '',
    parent: textOf(parameters, `Ge/${name}/Parent`),
    // Geant4 turns a point into a volume by the rotation itself, Rz·Ry·Rx.
    toLocal: (point) => {
      let [x, y, z] = [point[0] - tx, point[1] - ty, point[2] - tz];
      [y, z] = [y * cx - z * sx, y * sx + z * cx];
      [x, z] = [x * cy + z * sy, -x * sy + z * cy];
      [x, y] = [x * cz - y * sz, x * sz + y * cz];
      return [x, y, z];
    },
    holds: shapeTest(textOf(parameters, `Ge/${name}/Type`), read),
  };
}

const NO_TURN = [1, 0] as const;

function isBetween(lower: number, value: number, upper: number): boolean {
  return lower <= value && value <= upper;
}

function shapeTest(type: string | undefined, read: (name: string) => number | undefined): (local: Point) => boolean {
  const [x0, y0, z0] = [read('HLX') ?? 0, read('HLY') ?? 0, read('HLZ') ?? 0];
  const [inner, outer, half] = [read('RMin') ?? 0, read('RMax') ?? 0, read('HL') ?? 0];
  if (type === 'TsBox') return ([x, y, z]) => Math.abs(x) <= x0 && Math.abs(y) <= y0 && Math.abs(z) <= z0;
  if (type === 'TsCylinder') {
    return ([x, y, z]) => Math.abs(z) <= half && isBetween(inner, Math.sqrt(x * x + y * y), outer);
  }
  if (type === 'TsSphere') return ([x, y, z]) => isBetween(inner, Math.sqrt(x * x + y * y + z * z), outer);
  return () => false;
}
