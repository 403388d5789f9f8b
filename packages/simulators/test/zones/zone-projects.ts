import { buildProject, geometry, type Json } from '../build-project.js';
import { GOLDEN_PROJECTS } from '../golden/projects.js';
import { SELECTION_PROJECTS } from '../golden/selection-projects.js';

/** Projects by name, those for simulators whose decks are nested in a world of their own among them. */
export const PROJECTS = { ...GOLDEN_PROJECTS, ...SELECTION_PROJECTS };

/** Those in which zones are compared point by point, for every simulator. */
export const ZONE_NAMES = [
  'water-tank',
  'turned-figures',
  'boolean-zones',
  'overlapping-zones',
  'hollow-cylinder',
  'long-zone',
  'black-hole-world',
  'figure-tree',
];

/** Those for simulators that take every material and every world. */
export const NESTED_ZONE_NAMES = [...ZONE_NAMES, 'rare-materials', 'ionisation-potential', 'turned-world'];

/** Figures out of their parents mean something to the engine alone. */
export const ENGINE_NAMES = [...NESTED_ZONE_NAMES, 'overlapping-tree'];

/** Where converters extend the world: the project as if it had said so, which is what has to be found at each point. */
export const EXTENDED_PROJECTS: Readonly<Record<string, Json>> = {
  'zone-beyond-world': buildProject({
    '/figureManager/figures/0/geometryData/parameters/depth': 60,
    '/zoneManager/worldZone/geometryData': geometry('BoxGeometry', [0, 0, 10], { width: 12, height: 12, depth: 60 }),
  }),
};
