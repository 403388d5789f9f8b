import { type Intersection, type PerspectiveCamera, Raycaster, Vector2, Vector3 } from 'three';
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { matterBounds } from '../model/bounds.js';
import { type JsonObject, vectorAt } from '../model/pointer.js';
import type { Content } from './content.js';

/** Further than this, pixels, a press is a turn and no click. */
const CLICK_PX = 5;
const ROOM = 1.12;
/** Aside of the beam, which goes to the right, and a little from above. */
const ASIDE = [-0.86, 0.4, -0.4] as const;

/** Where everything is seen from, straight along an axis or from aside. */
export function frameAll(
  camera: PerspectiveCamera,
  orbit: OrbitControls,
  project: JsonObject,
  axis: 0 | 1 | 2 | undefined,
): void {
  const { lower, upper } = matterBounds(project);
  const start = vectorAt(project, '/beam/position');
  const axes = [0, 1, 2] as const;
  const [low, high] = [
    new Vector3(...axes.map((i) => Math.min(lower[i], start[i]))),
    new Vector3(...axes.map((i) => Math.max(upper[i], start[i]))),
  ];
  const center = low.clone().add(high).multiplyScalar(0.5);
  const radius = Math.max(1, high.distanceTo(low) / 2);
  const angle = ((camera.fov / 2) * Math.PI) / 180;
  const distance = (radius * ROOM) / Math.sin(angle) / Math.min(1, camera.aspect);
  const from =
    axis === undefined ? new Vector3(...ASIDE) : new Vector3(...axes.map((i) => (i !== axis ? 0 : i === 1 ? 1 : -1)));
  if (axis === 1) from.x = -1e-3; // a camera does not look along its own upright
  camera.position.copy(center).addScaledVector(from.normalize(), distance);
  camera.near = distance / 1_000;
  camera.far = distance * 100;
  camera.updateProjectionMatrix();
  orbit.target.copy(center);
  orbit.update();
}

/** Calls back with what lies under a click, the nearest first. @returns what ends it */
export function listenForPicks(
  canvas: HTMLCanvasElement,
  camera: PerspectiveCamera,
  contentOf: () => Content | undefined,
  onHits: (pointers: readonly string[]) => void,
): () => void {
  let pressed: { x: number; y: number } | undefined;
  const caster = new Raycaster();
  const press = ({ clientX: x, clientY: y }: PointerEvent) => {
    pressed = { x, y };
  };
  const release = ({ clientX, clientY }: PointerEvent) => {
    const content = contentOf();
    if (pressed === undefined || content === undefined) return;
    const way = Math.hypot(clientX - pressed.x, clientY - pressed.y);
    pressed = undefined;
    if (way > CLICK_PX) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    caster.setFromCamera(new Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height), camera);
    const hits: Intersection[] = caster.intersectObjects([...content.targets], false);
    const found = hits.flatMap(({ object, instanceId }) => content.pointerOf(object, instanceId) ?? []);
    onHits([...new Set(found)]);
  };
  canvas.addEventListener('pointerdown', press);
  canvas.addEventListener('pointerup', release);
  return () => {
    canvas.removeEventListener('pointerdown', press);
    canvas.removeEventListener('pointerup', release);
  };
}
