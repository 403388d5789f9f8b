import {
  ArrowHelper,
  AxesHelper,
  Box3,
  BoxGeometry,
  type BufferGeometry,
  CylinderGeometry,
  DirectionalLight,
  EdgesGeometry,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  SphereGeometry,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { type Figure, listOf, type Project } from './project.js';

const number = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
const size = (value: unknown): number => Math.max(1e-3, Math.abs(number(value, 1)));

function geometryOf({ geometryData }: Figure): BufferGeometry {
  const p = geometryData?.parameters ?? {};
  if (p.radius !== undefined && p.depth !== undefined) {
    return new CylinderGeometry(size(p.radius), size(p.radius), size(p.depth), 48).rotateX(Math.PI / 2); // along z
  }
  if (p.radius !== undefined) return new SphereGeometry(size(p.radius), 48, 24);
  return new BoxGeometry(size(p.width), size(p.height), size(p.depth));
}

function solid(figure: Figure, color: number, opacity: number): Group {
  const group = new Group();
  const geometry = geometryOf(figure);
  if (opacity > 0) {
    const material = new MeshStandardMaterial({ color, transparent: true, opacity, depthWrite: false, roughness: 0.6 });
    group.add(new Mesh(geometry, material));
  }
  group.add(new LineSegments(new EdgesGeometry(geometry, 30), new LineBasicMaterial({ color })));
  const [x, y, z] = figure.geometryData?.position ?? [];
  group.position.set(number(x, 0), number(y, 0), number(z, 0));
  const [a, b, c] = figure.geometryData?.rotation ?? [];
  const [x1, y1, z1] = [a, b, c].map((degrees) => (number(degrees, 0) * Math.PI) / 180);
  group.rotation.set(x1 ?? 0, y1 ?? 0, z1 ?? 0, 'ZYX'); // about fixed x, then y, then z
  return group;
}

const BEAM = 0xf2a900;
const DETECTOR = 0x0a9f9f;

function fill(scene: Scene, project: Project): Box3 {
  const content = new Group();
  for (const figure of listOf(project.figureManager?.figures))
    content.add(solid(figure, number(figure.colorHex, 0x5b8def), 0.28));
  for (const detector of listOf(project.detectorManager?.detectors)) content.add(solid(detector, DETECTOR, 0.06));
  const [x, y, z] = project.beam.position ?? [];
  const [dx, dy, dz] = project.beam.direction ?? [];
  const start = new Vector3(number(x, 0), number(y, 0), number(z, 0));
  const bounds = new Box3().setFromObject(content).expandByPoint(start);
  const length = Math.max(1, bounds.getSize(new Vector3()).length() / 3);
  const direction = new Vector3(number(dx, 0), number(dy, 0), number(dz, 1)).normalize();
  content.add(
    new ArrowHelper(
      direction,
      start.clone().addScaledVector(direction, -length / 3),
      length,
      BEAM,
      length / 6,
      length / 12,
    ),
  );
  content.add(new AxesHelper(length / 5));
  scene.add(content);
  return bounds;
}

/** Shows a project in an element, to turn and zoom; draws when something has moved only. @returns what takes it away */
export function showScene(element: HTMLElement, project: Project, isDark: boolean): () => void {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true });
  renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
  element.append(renderer.domElement);
  const scene = new Scene();
  scene.add(new HemisphereLight(0xffffff, isDark ? 0x444455 : 0x8899aa, 2.2));
  const sun = new DirectionalLight(0xffffff, 1.6);
  sun.position.set(3, 5, -4);
  scene.add(sun);
  const bounds = fill(scene, project);
  const center = bounds.getCenter(new Vector3());
  const radius = Math.max(1, bounds.getSize(new Vector3()).length() / 2);
  const camera = new PerspectiveCamera(38, 1, radius / 100, radius * 100);
  camera.position.set(center.x + radius * 2.35, center.y + radius * 1.25, center.z - radius * 1.45);
  const controls = new OrbitControls(camera, renderer.domElement);
  controls.target.copy(center);
  controls.update();
  const draw = () => renderer.render(scene, camera);
  controls.addEventListener('change', draw);
  const observer = new ResizeObserver(() => {
    renderer.setSize(element.clientWidth, element.clientHeight);
    camera.aspect = element.clientWidth / Math.max(1, element.clientHeight);
    camera.updateProjectionMatrix();
    draw();
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    controls.dispose();
    renderer.dispose();
    renderer.domElement.remove();
  };
}
