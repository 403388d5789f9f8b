import { Object3D, type PerspectiveCamera, type Scene } from 'three';
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { JsonObject } from '../model/pointer.js';
import { type HandleMode, modesOf, placeHandle, readHandle } from './handles.js';

/** What is on the stage. */
export interface Shown {
  readonly project: JsonObject;
  readonly selected: string | undefined;
}

/** Handles of the part that is selected; what they move is what the project says, so that numbers and handles agree. */
export function createGrips(
  scene: Scene,
  camera: PerspectiveCamera,
  orbit: OrbitControls,
  draw: () => void,
  onMove: (change: (project: JsonObject) => JsonObject, key: string) => void,
) {
  const handle = new Object3D();
  handle.rotation.order = 'ZYX';
  const controls = new TransformControls(camera, orbit.domElement);
  const helper = controls.getHelper();
  scene.add(handle, helper);
  let shown: Shown | undefined;
  let mode: HandleMode = 'translate';
  let drag = 0;
  const attach = () => {
    if (controls.dragging) return;
    const hasPlace = shown !== undefined && placeHandle(handle, shown.project, shown.selected);
    if (!hasPlace || !modesOf(shown?.selected).includes(mode)) {
      controls.detach();
      return;
    }
    controls.setMode(mode);
    controls.setSpace(mode === 'translate' ? 'world' : 'local');
    controls.attach(handle);
  };
  controls.addEventListener('change', draw);
  controls.addEventListener('dragging-changed', ({ value }) => {
    orbit.enabled = value !== true; // meanwhile the view does not turn
    if (value === true) drag += 1;
    else attach();
  });
  controls.addEventListener('objectChange', () => {
    const [pointer, used] = [shown?.selected, mode];
    if (pointer !== undefined) onMove((project) => readHandle(handle, project, pointer, used), `handle ${drag}`);
  });
  return {
    helper,
    arePressed: () => controls.axis !== null,
    show(next: Shown) {
      shown = next;
      attach();
    },
    setMode: (next: HandleMode) => {
      mode = next;
      attach();
      draw();
    },
    setSnap: (cm: number) => {
      controls.setTranslationSnap(cm === 0 ? null : cm);
      controls.setScaleSnap(cm === 0 ? null : cm);
      controls.setRotationSnap(cm === 0 ? null : Math.PI / 36);
    },
    dispose: () => controls.dispose(),
  };
}
