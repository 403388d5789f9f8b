/* The service's own checks and the engine's own geometry, off the main thread. */
import { checkProject, listMaterials, locateZones, openProject, readSpots } from '@tally/simulators/check-project';
import type { TableMaterial } from '../model/materials.js';
import { loadTransportModule } from './engine-assets.js';
import { describeMaterials } from './material-table.js';
import type { Reply, Request, Section, SectionPlane } from './messages.js';

/** Spots that a preview lists. */
const SPOTS_SHOWN_MAX = 200;
const OUTSIDE = 255;

async function cutSection(project: unknown, plane: SectionPlane): Promise<Section | undefined> {
  await loadTransportModule();
  const { zones, materials, locate } = locateZones(project);
  const [width, height] = [plane.upper[0] - plane.lower[0], plane.upper[1] - plane.lower[1]];
  const step = Math.max(width, height) / plane.points;
  const [columns, rows] = [Math.max(1, Math.round(width / step)), Math.max(1, Math.round(height / step))];
  const points = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    const second = plane.lower[1] + ((row + 0.5) * height) / rows;
    for (let column = 0; column < columns; column += 1) {
      const first = plane.lower[0] + ((column + 0.5) * width) / columns;
      const [x, y, z] = place(plane, first, second);
      const zone = zones[locate(x, y, z)];
      points[row * columns + column] = zone === undefined ? OUTSIDE : Math.min(zone.material, OUTSIDE - 1);
    }
  }
  return { plane, columns, rows, points, materials };
}

function place({ axis, at }: SectionPlane, first: number, second: number): [number, number, number] {
  switch (axis) {
    case 0:
      return [at, first, second];
    case 1:
      return [first, at, second];
    case 2:
      return [first, second, at];
  }
}

let table: readonly TableMaterial[] | undefined;

async function answer(request: Request): Promise<unknown> {
  switch (request.task) {
    case 'check':
      await loadTransportModule(); // a beam that misses the world is found by the engine's geometry
      return checkProject(request.asked.project, request.asked.runners);
    case 'open':
      return openProject(request.asked.project);
    case 'materials':
      table ??= describeMaterials(listMaterials());
      return table;
    case 'section':
      return cutSection(request.asked.project, request.asked.plane);
    case 'spots': {
      const { spots, faults } = readSpots(request.asked.text, request.asked.particle);
      return { spots: spots.slice(0, SPOTS_SHOWN_MAX), count: spots.length, faults };
    }
  }
}

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  answer(data).then(
    (found) => self.postMessage({ id: data.id, answer: found } satisfies Reply, { transfer: [] }),
    (err: unknown) =>
      self.postMessage({ id: data.id, fault: err instanceof Error ? err.message : String(err) } satisfies Reply, {
        transfer: [],
      }),
  );
});
