import { colorOf, newMaterial, type TableMaterial, VACUUM, WATER } from './materials.js';
import { addDetector, newFigure, newZone } from './parts.js';
import { newUuid } from './places.js';
import { type JsonObject, textAt, withValueAt } from './pointer.js';

/** The format that is written; the field's editor opens it. */
const VERSION = '0.12';

/** Materials that a project can have before the table has come. */
export const BASIC_MATERIALS: readonly TableMaterial[] = [
  {
    icru: WATER,
    label: 'Water, liquid',
    name: 'WATER, LIQUID',
    sanitizedName: 'water_liquid',
    density: 1,
    composition: 'H 11.2 %, O 88.8 %',
  },
  {
    icru: VACUUM,
    label: 'Vacuum',
    name: 'VACUUM',
    sanitizedName: 'vacuum',
    density: 0,
    composition: '',
  },
];

const manager = (name: string, generator: string, type: string): JsonObject => ({
  uuid: newUuid(),
  name,
  type,
  metadata: { version: VERSION, type: 'Manager', generator: `${generator}.toSerialized` },
});

/** A water tank in vacuum, protons of 150 MeV along z, and their depth dose: valid as it is. */
export function blankProject(): JsonObject {
  const [water, vacuum] = BASIC_MATERIALS.map(newMaterial);
  const [waterUuid, vacuumUuid] = [textAt(water, '/uuid'), textAt(vacuum, '/uuid')];
  const tank = newFigure('Water_tank', 'box', { width: 20, height: 20, depth: 30 }, [0, 0, 15], colorOf(WATER));
  const project: JsonObject = {
    metadata: { version: VERSION, type: 'Editor', generator: 'Tally' },
    project: { title: '', description: '', simulator: 'shieldhit' },
    figureManager: { ...manager('Figure Manager', 'FigureManager', 'FigureManager'), figures: [tank] },
    zoneManager: {
      ...manager('Zone Manager', 'ZoneManager', 'ZoneManager'),
      zones: [newZone('Water', textAt(tank, '/uuid'), waterUuid)],
      worldZone: {
        uuid: newUuid(),
        name: 'World Zone',
        type: 'WorldZone',
        visible: true,
        marginMultiplier: 1.1,
        autoCalculate: false,
        materialUuid: vacuumUuid,
        geometryData: {
          geometryType: 'BoxGeometry',
          position: [0, 0, 14],
          rotation: [0, 0, 0],
          parameters: { width: 24, height: 24, depth: 36 },
        },
      },
    },
    detectorManager: { ...manager('Detector Manager', 'DetectorManager', 'DetectorManager'), detectors: [] },
    specialComponentsManager: manager('Special Components', 'SpecialComponentManager', 'SpecialComponentManager'),
    materialManager: {
      ...manager('Material Manager', 'MaterialManager', 'MaterialManager'),
      materials: [water, vacuum],
      selectedMaterials: { [waterUuid]: 1, [vacuumUuid]: 1 },
    },
    scoringManager: { ...manager('Scoring Manager', 'ScoringManager', 'ScoringManager'), outputs: [], filters: [] },
    beam: {
      name: 'Beam',
      type: 'Beam',
      uuid: newUuid(),
      position: [0, 0, -2],
      direction: [0, 0, 1],
      energyUnit: 'MeV',
      energy: 150,
      energySpread: 1.5,
      energyLowCutoff: 0,
      energyHighCutoff: 1000,
      sigma: { type: 'Gaussian', x: 0.4, y: 0.4 },
      sad: { type: 'none', x: 0, y: 0 },
      divergence: { x: 0, y: 0, distanceToFocal: 0 },
      particle: { id: 2, name: 'Proton', a: 1, z: 1 },
      colorHex: 16776960,
      numberOfParticles: 20_000,
      sourceType: 'simple',
      sourceFile: { value: '', name: '' },
    },
    physic: {
      energyLoss: 0.03,
      enableNuclearReactions: true,
      energyModelStraggling: 'Vavilov',
      multipleScattering: 'Moliere',
      stoppingPowerTable: 'ICRU91',
    },
  };
  return withValueAt(addDetector(project, 'depth').project, '/scoringManager/outputs/0/name', 'depth_dose');
}
