import {
  ArrowHelper,
  BufferAttribute,
  BufferGeometry,
  Color,
  Euler,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import { figuresOf, matterBounds } from '../model/bounds.js';
import { DETECTORS, WORLD } from '../model/places.js';
import { itemsAt, type JsonObject, numberAt, valueAt, vectorAt } from '../model/pointer.js';
import { type Appearance, appearanceOf, linesOf, surfaceOf } from './shapes.js';

const BEAM_COLOR = 0xd99400;
const DETECTOR_COLOR = 0x0a9f9f;
const WORLD_COLOR = 0x8a929a;
const PICKED_COLOR = 0xff5c00;
const DETECTOR_OPACITY = 0.05;
const RADIANS = Math.PI / 180;

/** A part with its place in space. */
interface Placed {
  readonly pointer: string;
  readonly appearance: Appearance;
  readonly matrix: Matrix4;
  readonly color: Color;
  readonly kind: 'figure' | 'detector' | 'world';
}

/** Position, rotation (Rz·Ry·Rx) and sizes of a part as three.js takes them. Detectors and the world are not turned. */
export function placement(part: unknown, appearance: Appearance, isTurned: boolean) {
  const [a, b, c] = isTurned ? vectorAt(part, '/geometryData/rotation') : [0, 0, 0];
  return {
    position: new Vector3(...vectorAt(part, '/geometryData/position')),
    rotation: new Euler(a * RADIANS, b * RADIANS, c * RADIANS, 'ZYX'),
    scale: new Vector3(...appearance.size),
  };
}

function place(pointer: string, part: unknown, kind: Placed['kind'], color: number): Placed | undefined {
  const appearance = appearanceOf(part);
  if (appearance === undefined) return undefined;
  const { position, rotation, scale } = placement(part, appearance, kind === 'figure');
  const matrix = new Matrix4().compose(position, new Quaternion().setFromEuler(rotation), scale);
  return { pointer, appearance, matrix, color: new Color(color), kind };
}

function placedParts(project: JsonObject): Placed[] {
  const figures = figuresOf(project).map(({ pointer, value }) =>
    place(pointer, value, 'figure', numberAt(value, '/colorHex', 0x5b8def)),
  );
  const detectors = itemsAt(project, DETECTORS).map(({ pointer, value }) =>
    place(pointer, value, 'detector', DETECTOR_COLOR),
  );
  const world = valueAt(project, WORLD);
  const hasSize = valueAt(world, '/geometryData') !== undefined && valueAt(world, '/autoCalculate') !== true;
  return [...figures, ...detectors, hasSize ? place(WORLD, world, 'world', WORLD_COLOR) : undefined].filter(
    (one) => one !== undefined,
  );
}

/** Drawn things, and which part of the project each is. */
export interface Content {
  readonly group: Group;
  /** What can be picked. */
  readonly targets: readonly Mesh[];
  pointerOf(target: object, instance: number | undefined): string | undefined;
  dispose(): void;
}

/** Draws a project: forms that are alike in one call, all lines in another. @param opacity - of figures */
export function drawContent(project: JsonObject, selected: string | undefined, opacity: number): Content {
  const group = new Group();
  const parts = placedParts(project);
  const pointers = new Map<Mesh, readonly string[]>();
  for (const [mesh, alike] of drawSurfaces(parts, selected, opacity)) {
    pointers.set(
      mesh,
      alike.map(({ pointer }) => pointer),
    );
    group.add(mesh);
  }
  const edges = drawLines(parts, selected);
  const beam = drawBeam(project, selected === '/beam');
  pointers.set(beam.target, ['/beam']);
  group.add(edges, beam.group);
  return {
    group,
    targets: [...pointers.keys()],
    pointerOf: (target, instance) => [...pointers].find(([mesh]) => mesh === target)?.[1][instance ?? 0],
    dispose: () => {
      edges.geometry.dispose();
      for (const mesh of pointers.keys()) if (mesh instanceof InstancedMesh) mesh.dispose();
    },
  };
}

function drawSurfaces(
  parts: readonly Placed[],
  selected: string | undefined,
  opacity: number,
): [InstancedMesh, readonly Placed[]][] {
  return [...groupAlike(parts).values()].flatMap((alike): [InstancedMesh, readonly Placed[]][] => {
    const [first] = alike;
    if (first === undefined) return [];
    const material = new MeshStandardMaterial({
      transparent: true,
      opacity: first.kind === 'figure' ? opacity : DETECTOR_OPACITY,
      depthWrite: false,
      roughness: 0.6,
    });
    const mesh = new InstancedMesh(surfaceOf(first.appearance), material, alike.length);
    for (const [i, { matrix, color, pointer }] of alike.entries()) {
      mesh.setMatrixAt(i, matrix);
      mesh.setColorAt(i, pointer === selected ? new Color(PICKED_COLOR) : color);
    }
    mesh.computeBoundingSphere();
    return [[mesh, alike]];
  });
}

/** What is around everything, the world, is picked in the form. */
function groupAlike(parts: readonly Placed[]): Map<string, Placed[]> {
  const groups = new Map<string, Placed[]>();
  for (const part of parts.filter(({ kind }) => kind !== 'world')) {
    const key = `${part.kind} ${part.appearance.form} ${part.appearance.hole.toFixed(4)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [part]);
    else group.push(part);
  }
  return groups;
}

const LINE = new LineBasicMaterial({ vertexColors: true });

function drawLines(parts: readonly Placed[], selected: string | undefined): LineSegments {
  const all = parts.map((part) => ({ ...part, ends: linesOf(part.appearance) }));
  const count = all.reduce((sum, { ends }) => sum + ends.length, 0);
  const [positions, colors] = [new Float32Array(count), new Float32Array(count)];
  const at = new Vector3();
  let offset = 0;
  for (const { ends, matrix, color, pointer } of all) {
    const { r, g, b } = pointer === selected ? new Color(PICKED_COLOR) : color;
    for (let i = 0; i < ends.length; i += 3) {
      at.set(ends[i] ?? 0, ends[i + 1] ?? 0, ends[i + 2] ?? 0).applyMatrix4(matrix);
      positions.set([at.x, at.y, at.z], offset + i);
      colors.set([r, g, b], offset + i);
    }
    offset += ends.length;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('color', new BufferAttribute(colors, 3));
  return new LineSegments(geometry, LINE);
}

function drawBeam(project: JsonObject, isPicked: boolean): { group: Group; target: Mesh } {
  const { lower, upper } = matterBounds(project);
  const length = Math.max(1, Math.hypot(upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]) / 4);
  const start = new Vector3(...vectorAt(project, '/beam/position'));
  const direction = new Vector3(...vectorAt(project, '/beam/direction', [0, 0, 1]));
  if (direction.length() === 0) direction.set(0, 0, 1);
  direction.normalize();
  const color = isPicked ? PICKED_COLOR : BEAM_COLOR;
  const group = new Group();
  const from = start.clone().addScaledVector(direction, -length / 3);
  group.add(new ArrowHelper(direction, from, length, color, length / 6, length / 12));
  const target = new Mesh(new SphereGeometry(length / 16, 16, 8), new MeshBasicMaterial({ color }));
  target.position.copy(start);
  target.updateMatrixWorld();
  group.add(target);
  return { group, target };
}
