import { childOf, childrenOf, type Element, readXml } from './read-xml.js';

type Point = readonly [number, number, number];

/** A geometry as Geant4 would build it from GDML. Lengths mm. */
export interface SimCGeometry {
  readonly worldName: string;
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly materials: ReadonlyMap<string, SimCMaterial>;
}

export interface SimCMaterial {
  readonly densityGcm3: number;
  readonly ionisationEv: number;
  /** Mass fraction by charge number of the element. */
  readonly fractions: ReadonlyMap<number, number>;
}

export interface Volume {
  readonly material: string;
  readonly isInside: (point: Point) => boolean;
  readonly daughters: readonly {
    readonly volume: string;
    readonly copy: string;
    readonly toLocal: (point: Point) => Point;
  }[];
}

const MM_PER: Readonly<Record<string, number>> = { mm: 1, cm: 10, m: 1000 };

/** Builds the geometry: every reference must be to something defined before it. */
export function readSimCGeometry(text: string): SimCGeometry {
  const root = readXml(text);
  const sections = root.children.map(({ tag }) => tag).join(' ');
  if (root.tag !== 'gdml' || sections !== 'define materials solids structure setup')
    throw new Error(`sections ${sections}`);
  const materials = parseMaterials(childOf(root, 'materials'));
  const solids = new Map<string, Volume['isInside']>();
  for (const solid of childOf(root, 'solids').children) {
    const name = attribute(solid, 'name');
    if (solids.has(name)) throw new Error(`solid ${name} twice`);
    solids.set(name, parseSolid(solid, solids));
  }
  const volumes = new Map<string, Volume>();
  for (const volume of childOf(root, 'structure').children) {
    const name = attribute(volume, 'name');
    if (volumes.has(name)) throw new Error(`volume ${name} twice`);
    const material = attribute(childOf(volume, 'materialref'), 'ref');
    if (material !== 'G4_Galactic' && !materials.has(material)) throw new Error(`no material ${material}`);
    const isInside = lookUp(solids, attribute(childOf(volume, 'solidref'), 'ref'));
    const daughters = childrenOf(volume, 'physvol').map((placed) => parsePlacement(placed, volumes));
    volumes.set(name, { material, isInside, daughters });
  }
  const worldName = attribute(childOf(childOf(root, 'setup'), 'world'), 'ref');
  lookUp(volumes, worldName);
  return { worldName, volumes, materials };
}

/** Name of the deepest volume that a point is in; `undefined` outside the world. Throws where daughters overlap. */
export function findVolume(geometry: SimCGeometry, pointCm: Point): string | undefined {
  let name = geometry.worldName;
  let point: Point = [pointCm[0] * 10, pointCm[1] * 10, pointCm[2] * 10];
  if (!lookUp(geometry.volumes, name).isInside(point)) return undefined;
  for (;;) {
    const inside = lookUp(geometry.volumes, name).daughters.flatMap(({ volume, toLocal }) => {
      const local = toLocal(point);
      return lookUp(geometry.volumes, volume).isInside(local) ? [{ volume, local }] : [];
    });
    const [found, ...others] = inside;
    if (found === undefined) return name;
    if (others.length > 0)
      throw new Error(`${found.volume} and ${others[0]?.volume ?? ''} overlap at ${pointCm.join(' ')}`);
    ({ volume: name, local: point } = found);
  }
}

function parseMaterials(section: Element): Map<string, SimCMaterial> {
  const charges = new Map<string, number>();
  const materials = new Map<string, SimCMaterial>();
  for (const element of section.children) {
    const name = attribute(element, 'name');
    if (charges.has(name) || materials.has(name)) throw new Error(`material ${name} twice`);
    if (element.tag === 'element') {
      if (!(numberOf(childOf(element, 'atom'), 'value') > 0)) throw new Error(`weight of ${name}`);
      charges.set(name, numberOf(element, 'Z'));
      continue;
    }
    const parts = childrenOf(element, 'fraction').map((part): [number, number] => {
      const ref = attribute(part, 'ref');
      return [ref === 'G4_Pb' ? 82 : lookUp(charges, ref), numberOf(part, 'n')];
    });
    materials.set(name, {
      densityGcm3: numberOf(childOf(element, 'D'), 'value'),
      ionisationEv: numberOf(childOf(element, 'MEE'), 'value'),
      fractions: new Map(parts),
    });
  }
  return materials;
}

function parseSolid(solid: Element, solids: ReadonlyMap<string, Volume['isInside']>): Volume['isInside'] {
  const length = (name: string): number =>
    numberOf(solid, name) * (MM_PER[solid.attributes.lunit ?? 'mm'] ?? Number.NaN);
  switch (solid.tag) {
    case 'box': {
      const half = [length('x') / 2, length('y') / 2, length('z') / 2] as const;
      return (point) => point.every((coordinate, axis) => Math.abs(coordinate) <= (half[axis] ?? 0));
    }
    case 'tube': {
      const [inner, outer, half] = [length('rmin'), length('rmax'), length('z') / 2];
      if (attribute(solid, 'deltaphi') !== '360' || attribute(solid, 'aunit') !== 'deg')
        throw new Error('a whole turn');
      return ([x, y, z]) =>
        Math.sqrt(x * x + y * y) >= inner && Math.sqrt(x * x + y * y) <= outer && Math.abs(z) <= half;
    }
    case 'sphere': {
      const radius = length('rmax');
      if (attribute(solid, 'deltatheta') !== '180' || attribute(solid, 'deltaphi') !== '360')
        throw new Error('a whole ball');
      return (point) => Math.hypot(...point) <= radius;
    }
    default: {
      const first = lookUp(solids, attribute(childOf(solid, 'first'), 'ref'));
      const second = lookUp(solids, attribute(childOf(solid, 'second'), 'ref'));
      const toFirst = parseTransform(solid, 'first', 'direct');
      const toSecond = parseTransform(solid, '', 'direct');
      if (solid.tag === 'union') return (point) => first(toFirst(point)) || second(toSecond(point));
      if (solid.tag === 'intersection') return (point) => first(toFirst(point)) && second(toSecond(point));
      if (solid.tag === 'subtraction') return (point) => first(toFirst(point)) && !second(toSecond(point));
      throw new Error(`solid ${solid.tag}`);
    }
  }
}

function parsePlacement(placed: Element, volumes: ReadonlyMap<string, Volume>): Volume['daughters'][number] {
  const volume = attribute(childOf(placed, 'volumeref'), 'ref');
  lookUp(volumes, volume);
  return { volume, copy: attribute(placed, 'copynumber'), toLocal: parseTransform(placed, '', 'inverse') };
}

/**
 * Into the coordinates of what is placed. With M = Rz·Ry·Rx of the angles, a boolean's solid lies at M·v + position, a
 * placed volume at M⁻¹·v + position (G4GDMLReadSolids::BooleanRead, G4GDMLReadStructure::PhysvolRead).
 */
function parseTransform(owner: Element, prefix: string, sense: 'direct' | 'inverse'): (point: Point) => Point {
  const [position] = childrenOf(owner, `${prefix}position`);
  const [rotation] = childrenOf(owner, `${prefix}rotation`);
  const scale = MM_PER[position?.attributes.unit ?? 'mm'] ?? Number.NaN;
  const offset = vectorOf(position).map((coordinate) => coordinate * scale);
  if (rotation !== undefined && rotation.attributes.unit !== 'deg') throw new Error('angles in degrees');
  const [x, y, z] = vectorOf(rotation).map((angle) => (angle * Math.PI) / 180) as [number, number, number];
  const turn = (point: Point): Point => turnAbout(2, z, turnAbout(1, y, turnAbout(0, x, point)));
  const turnBack = (point: Point): Point => turnAbout(0, -x, turnAbout(1, -y, turnAbout(2, -z, point)));
  return (point) => {
    const moved: Point = [point[0] - (offset[0] ?? 0), point[1] - (offset[1] ?? 0), point[2] - (offset[2] ?? 0)];
    return sense === 'direct' ? turnBack(moved) : turn(moved);
  };
}

/** A right-handed turn about one axis. */
function turnAbout(axis: 0 | 1 | 2, angle: number, point: Point): Point {
  const turned: [number, number, number] = [...point];
  const [one, two] = [(axis + 1) % 3, (axis + 2) % 3] as [0 | 1 | 2, 0 | 1 | 2];
  turned[one] = Math.cos(angle) * point[one] - Math.sin(angle) * point[two];
  turned[two] = Math.sin(angle) * point[one] + Math.cos(angle) * point[two];
  return turned;
}

function vectorOf(element: Element | undefined): [number, number, number] {
  if (element === undefined) return [0, 0, 0];
  return [numberOf(element, 'x'), numberOf(element, 'y'), numberOf(element, 'z')];
}

function attribute(element: Element, name: string): string {
  const value = element.attributes[name];
  if (value === undefined) throw new Error(`${element.tag} without ${name}`);
  return value;
}

function numberOf(element: Element, name: string): number {
  const value = Number(attribute(element, name));
  if (!Number.isFinite(value)) throw new Error(`${name} of ${element.tag}`);
  return value;
}

function lookUp<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`nothing is called ${String(key)}`);
  return value;
}
