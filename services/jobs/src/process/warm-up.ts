import { SIMULATORS } from '../domain/job.js';
import { convertSimData, encodeDecks } from '../domain/submit/convert-project.js';

const [WATER, DEPTH] = ['water', 'depth'];
/** An editor's project: the least that every simulator takes. */
const PROJECT = {
  beam: { energy: 150 },
  figureManager: {},
  zoneManager: {
    worldZone: {
      materialUuid: WATER,
      geometryData: { geometryType: 'HollowCylinderGeometry', parameters: { radius: 6, depth: 24 } },
    },
  },
  materialManager: { materials: [{ uuid: WATER, icru: 276 }] },
  detectorManager: { detectors: [{ uuid: DEPTH, geometryData: { geometryType: 'Cyl', parameters: {} } }] },
  scoringManager: {
    outputs: [{ uuid: 'dose', detectorUuid: DEPTH, quantities: [{ uuid: 'dose-1', keyword: 'Dose' }] }],
  },
};

/**
 * Converts a small project for each simulator. Node compiles a function when it is called first: without this the user who submits first
 * after a start waits for it.
 */
export function warmUpConversion(): void {
  const text = new TextEncoder().encode(JSON.stringify(PROJECT));
  for (const simulator of SIMULATORS) {
    encodeDecks(convertSimData({ simulator, inputType: 'editor', onUnsupported: 'refuse' }, text, new Map()));
  }
}
