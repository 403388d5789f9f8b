/** JSON of a project, to be changed by pointer. */
export type Json = Record<string, unknown>;

export const IDS = {
  tank: '11111111-0000-4000-8000-000000000001',
  insert: '11111111-0000-4000-8000-000000000002',
  waterZone: '22222222-0000-4000-8000-000000000001',
  world: '22222222-0000-4000-8000-00000000000f',
  water: '33333333-0000-4000-8000-000000000001',
  vacuum: '33333333-0000-4000-8000-000000000002',
  pmma: '33333333-0000-4000-8000-000000000003',
  depth: '44444444-0000-4000-8000-000000000001',
  mesh: '44444444-0000-4000-8000-000000000002',
  depthOutput: '55555555-0000-4000-8000-000000000001',
  meshOutput: '55555555-0000-4000-8000-000000000002',
  dose: '66666666-0000-4000-8000-000000000001',
  fluence: '66666666-0000-4000-8000-000000000002',
  meshDose: '66666666-0000-4000-8000-000000000003',
  protons: '77777777-0000-4000-8000-000000000001',
};

/**
 * A sound project: protons of 150 MeV on a water cylinder with a smaller box inside it that no zone uses, a depth and a
 * mesh detector. Each change sets the value at a JSON pointer; `undefined` removes the key.
 */
export function buildProject(changes: Readonly<Record<string, unknown>> = {}): Json {
  const project = soundProject();
  for (const [pointer, value] of Object.entries(changes)) setAt(project, pointer.split('/').slice(1), value);
  return project;
}

function setAt(target: Json, keys: readonly string[], value: unknown): void {
  const [key = '', ...rest] = keys;
  if (rest.length > 0) setAt(target[key] as Json, rest, value);
  else if (value === undefined) delete target[key];
  else target[key] = value;
}

function soundProject(): Json {
  const tankGeometry = { radius: 5, innerRadius: 0, depth: 20 };
  return {
    metadata: { version: '0.12', type: 'Editor', generator: 'Editor' },
    project: { title: 'Water tank', description: '', viewManager: {}, history: { undos: [], redos: [] } },
    figureManager: {
      uuid: 'figures',
      figures: [
        figure(IDS.tank, 'Tank', 'HollowCylinderGeometry', [0, 0, 10], tankGeometry),
        figure(IDS.insert, 'Insert', 'BoxGeometry', [0, 0, 5], { width: 2, height: 3, depth: 4 }),
      ],
    },
    zoneManager: {
      zones: [zone(IDS.waterZone, 'Water', IDS.water, [[{ mode: 'union', objectUuid: IDS.tank }]])],
      worldZone: {
        uuid: IDS.world,
        name: 'World',
        type: 'WorldZone',
        materialUuid: IDS.vacuum,
        autoCalculate: false,
        marginMultiplier: 1.1,
        geometryData: geometry('HollowCylinderGeometry', [0, 0, 10], { radius: 6, innerRadius: 0, depth: 24 }),
      },
    },
    detectorManager: {
      detectors: [
        detector(IDS.depth, 'Depth', 'Cyl', [0, 0, 10], {
          ...tankGeometry,
          radialSegments: 1,
          zSegments: 400,
        }),
        detector(IDS.mesh, 'Mesh', 'Mesh', [0, 0, 10], {
          width: 4,
          height: 0.5,
          depth: 20,
          xSegments: 40,
          ySegments: 1,
          zSegments: 100,
        }),
      ],
    },
    specialComponentsManager: {},
    materialManager: {
      materials: [
        material(IDS.water, 'WATER, LIQUID', 276, 1),
        material(IDS.vacuum, 'VACUUM', 1000, 0),
        material(IDS.pmma, 'PMMA', 223, 1.19),
      ],
      selectedMaterials: {},
    },
    scoringManager: {
      outputs: [
        output(IDS.depthOutput, 'depth', IDS.depth, [
          quantity(IDS.dose, 'Dose', 'Dose'),
          { ...quantity(IDS.fluence, 'ProtonFluence', 'Fluence'), filter: IDS.protons },
        ]),
        output(IDS.meshOutput, 'mesh', IDS.mesh, [quantity(IDS.meshDose, 'Dose', 'Dose')]),
      ],
      filters: [
        {
          uuid: IDS.protons,
          name: 'Protons',
          type: 'Filter',
          rules: [
            { uuid: 'rule-z', keyword: 'Z', operator: '==', value: 1 },
            { uuid: 'rule-a', keyword: 'A', operator: '==', value: 1 },
          ],
        },
      ],
    },
    beam: {
      position: [0, 0, -1],
      direction: [0, 0, 1],
      energyUnit: 'MeV',
      energy: 150,
      energySpread: 1.5,
      energyLowCutoff: 0,
      energyHighCutoff: 1000,
      sigma: { type: 'Gaussian', x: 0.1, y: 0.2 },
      sad: { type: 'none', x: 0, y: 0 },
      divergence: { x: 0, y: 0, distanceToFocal: 0 },
      particle: { id: 2, name: 'Proton', a: 1, z: 1 },
      numberOfParticles: 10000,
      sourceType: 'simple',
      sourceFile: { name: '', value: '' },
    },
    physic: {
      energyLoss: 0.03,
      enableNuclearReactions: true,
      energyModelStraggling: 'Vavilov',
      multipleScattering: 'Moliere',
      stoppingPowerTable: 'ICRU91',
    },
    hash: '0123456789abcdef0123456789abcdef01234567',
  };
}

/** Parts of a project, for tests that add some. */
export function figure(uuid: string, name: string, type: string, position: number[], parameters: Json): Json {
  return { uuid, name, type: 'Figure', visible: true, colorHex: 0, geometryData: geometry(type, position, parameters) };
}

export function geometry(geometryType: string, position: number[], parameters: Json): Json {
  return { geometryType, position, rotation: [0, 0, 0], parameters };
}

export function zone(uuid: string, name: string, materialUuid: string, unionOperations: unknown): Json {
  return { uuid, name, type: 'BooleanZone', materialUuid, materialPropertiesOverrides: {}, unionOperations };
}

export function material(uuid: string, name: string, icru: number, density: number): Json {
  return { uuid, name, sanitizedName: name.toLowerCase(), icru, density, color: 0 };
}

export function detector(uuid: string, name: string, type: string, position: number[], parameters: Json): Json {
  return { uuid, name, type: 'Detector', visible: true, geometryData: geometry(type, position, parameters) };
}

export function output(uuid: string, name: string, detectorUuid: string, quantities: Json[]): Json {
  return { uuid, name, type: 'Output', detectorUuid, quantities, trace: false };
}

export function quantity(uuid: string, name: string, keyword: string): Json {
  return { uuid, name, type: 'Quantity', keyword, modifiers: [] };
}
