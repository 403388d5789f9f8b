import type { Json } from '../build-project.js';
import { GOLDEN_PROJECTS } from '../golden/projects.js';

/** A project with beam, physics and scoring that every simulator takes, so that only the geometry decides. */
export function keepGeometry(json: Json): Json {
  const { beam, physic } = GOLDEN_PROJECTS['water-tank'] ?? {};
  const quantities = [{ uuid: 'quantity', name: 'Dose', keyword: 'Dose', modifiers: [] }];
  const outputs = [{ uuid: 'output', name: 'dose', detectorUuid: 'mesh', trace: false, quantities }];
  return { ...json, beam, physic, scoringManager: { outputs, filters: [] } };
}
