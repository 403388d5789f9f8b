import {
  DirectionalLight,
  HemisphereLight,
  type Mesh,
  type Object3D,
  PerspectiveCamera,
  Scene,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Section } from '../check/messages.js';
import type { JsonObject } from '../model/pointer.js';
import { frameAll, listenForPicks } from './camera.js';
import { type Content, drawContent } from './content.js';
import { createGrips, type Shown } from './grips.js';
import type { HandleMode } from './handles.js';
import { drawSection } from './section-plane.js';

const OPACITY = 0.3;
/** Beside a section, figures are a hint. */
const OPACITY_CUT = 0.08;
const PICTURE = { width: 300, height: 200 };

export interface StageEvents {
  readonly onPick: (pointer: string | undefined) => void;
  /** A handle is moved; `key` is the same during one drag. */
  readonly onMove: (change: (project: JsonObject) => JsonObject, key: string) => void;
}

/** A project in three dimensions. Draws when something has changed only. */
export interface Stage {
  readonly show: (project: JsonObject, selected: string | undefined) => void;
  readonly setMode: (mode: HandleMode) => void;
  /** Step of the handles, cm; 0: none. */
  readonly setSnap: (cm: number) => void;
  readonly showSection: (section: Section | undefined) => void;
  /** Shows all of it, from aside or straight along an axis. */
  readonly fit: (axis?: 0 | 1 | 2) => void;
  /** A small picture, as a data URL; `undefined` while there is nothing to see. */
  readonly picture: () => string | undefined;
  readonly dispose: () => void;
}

/** @throws where there is no WebGL */
export function createStage(element: HTMLElement, isDark: boolean, events: StageEvents): Stage {
  const { renderer, scene, camera } = createScene(element, isDark);
  const orbit = new OrbitControls(camera, renderer.domElement);
  let frame = 0;
  const render = () => {
    frame = 0;
    renderer.render(scene, camera);
    performance.mark('scene drawn');
  };
  const draw = () => {
    if (frame === 0) frame = requestAnimationFrame(render);
  };
  orbit.addEventListener('change', draw);
  const grips = createGrips(scene, camera, orbit, draw, events.onMove);
  let content: Content | undefined;
  let section: Mesh | undefined;
  let shown: Shown | undefined;
  const redraw = () => {
    if (shown === undefined) return;
    if (content !== undefined) scene.remove(content.group);
    content?.dispose();
    content = drawContent(shown.project, shown.selected, section === undefined ? OPACITY : OPACITY_CUT);
    scene.add(content.group);
    draw();
  };
  const fit = (axis?: 0 | 1 | 2) => {
    if (shown !== undefined) frameAll(camera, orbit, shown.project, axis);
    draw();
  };
  const onHits = (hits: readonly string[]) => {
    if (grips.arePressed()) return;
    const index = hits.findIndex((pointer) => pointer === shown?.selected);
    // what lies behind is picked by another click at the same place
    events.onPick(hits[(index + 1) % Math.max(1, hits.length)]);
  };
  const stopPicking = listenForPicks(renderer.domElement, camera, () => content, onHits);
  const stopSizing = followSize(element, renderer, camera, render);
  return {
    show(project, selected) {
      const isFirst = shown === undefined;
      shown = { project, selected };
      grips.show(shown);
      redraw();
      if (isFirst) fit();
    },
    setMode: grips.setMode,
    setSnap: grips.setSnap,
    showSection(found) {
      if (section !== undefined) scene.remove(section);
      section = found === undefined ? undefined : drawSection(found);
      if (section !== undefined) scene.add(section);
      redraw();
    },
    fit,
    picture: () => takePicture(renderer, grips.helper, render),
    dispose() {
      stopPicking();
      stopSizing();
      cancelAnimationFrame(frame);
      content?.dispose();
      grips.dispose();
      orbit.dispose();
      renderer.dispose();
      renderer.domElement.remove();
    },
  };
}

function createScene(element: HTMLElement, isDark: boolean) {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true });
  renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
  element.append(renderer.domElement);
  const scene = new Scene();
  scene.add(new HemisphereLight(0xffffff, isDark ? 0x555566 : 0x8899aa, 2.2));
  const sun = new DirectionalLight(0xffffff, 1.6);
  sun.position.set(3, 5, -4);
  scene.add(sun);
  return { renderer, scene, camera: new PerspectiveCamera(34, 1, 0.01, 10_000) };
}

/** Draws as large as there is room. @returns what ends it */
function followSize(
  element: HTMLElement,
  renderer: WebGLRenderer,
  camera: PerspectiveCamera,
  render: () => void,
): () => void {
  const observer = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = element;
    if (width === 0 || height === 0) return;
    renderer.setSize(width, height);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    render();
  });
  observer.observe(element);
  return () => observer.disconnect();
}

function takePicture(renderer: WebGLRenderer, handles: Object3D, render: () => void): string | undefined {
  const { width, height } = renderer.domElement;
  if (width === 0 || height === 0) return undefined;
  const { visible } = handles;
  handles.visible = false;
  render(); // what was drawn before may be gone from the buffer
  const scale = Math.max(PICTURE.width / width, PICTURE.height / height);
  const canvas = document.createElement('canvas');
  canvas.width = PICTURE.width;
  canvas.height = PICTURE.height;
  const [w, h] = [width * scale, height * scale];
  canvas.getContext('2d')?.drawImage(renderer.domElement, (PICTURE.width - w) / 2, (PICTURE.height - h) / 2, w, h);
  handles.visible = visible;
  render();
  return canvas.toDataURL('image/png');
}
