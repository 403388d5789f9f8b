import { describe, expect, it } from '@jest/globals';
import { buildProject, figure, IDS, type Json, quantity } from '../../../test/build-project.js';
import { ConversionError } from '../../conversion-error.js';
import { readProject } from '../read-project.js';

const WORLD = '/zoneManager/worldZone';

function read(changes: Json) {
  return readProject(buildProject(changes));
}

describe('versions of the format', () => {
  it.each([undefined, null, 1, 0.5, '0.9', '0.10', 0.12, '0.12', '0.13'])('%j is known', (version) => {
    expect(read({ '/metadata/version': version }).readingWarnings).toEqual([]);
  });

  it.each(['0.14', 0.99, '1.0', 2, 'soon', '', {}, [], true])('%j is read as the newest, with a warning', (version) => {
    const project = read({ '/metadata/version': version });
    expect(project.readingWarnings).toEqual([
      { code: 'FORMAT_VERSION_UNKNOWN', message: expect.stringContaining(JSON.stringify(version)) },
    ]);
    expect(project.beam.particle.pdg).toBe(2212);
  });

  it('is looked for in a project that says nothing about itself, or nonsense', () => {
    for (const metadata of [undefined, null, 7, 'x', []]) {
      expect(read({ '/metadata': metadata }).readingWarnings).toEqual([]);
    }
  });
});

describe('members that came later', () => {
  it('have the defaults of the editor', () => {
    const { beam } = read({ '/beam': { energy: 200 } });
    expect(beam).toMatchObject({
      position: [0, 0, 0],
      direction: [0, 0, 1],
      energyUnit: 'MeV',
      energySpread: 1.5,
      energyLowCutoff: 0,
      sigma: { type: 'Gaussian', x: 0, y: 0 },
      sad: { type: 'none', x: 0, y: 0 },
      divergence: { x: 0, y: 0, distanceToFocal: 0 },
      particle: { pdg: 2212 },
      numberOfParticles: 10_000,
      sourceType: 'simple',
    });
    const { detectors } = read({ '/detectorManager/detectors/1/geometryData/parameters': {} }).detectorManager;
    expect(detectors[1]?.geometryData).toMatchObject({
      parameters: { width: 1, height: 1, depth: 1, xSegments: 1, ySegments: 1, zSegments: 100 },
    });
  });
});

describe('the layout of the first versions', () => {
  /** The sound project as 0.6 laid it out. */
  function oldProject(): Json {
    const json = structuredClone(buildProject()) as Record<string, Record<string, Json[]>>;
    const children = json.figureManager?.figures ?? [];
    const filters = json.scoringManager?.filters ?? [];
    const { sourceType, sourceFile, ...beam } = (json.beam ?? {}) as Json;
    const detectGeometries = (json.detectorManager?.detectors ?? []).map(({ geometryData, ...detector }) => {
      const { geometryType, position, parameters } = geometryData as Json;
      return { ...detector, type: geometryType, position, data: parameters };
    });
    const scoringOutputs = (json.scoringManager?.outputs ?? []).map(({ detectorUuid, quantities, ...output }) => ({
      ...output,
      detectGeometry: detectorUuid,
      quantities: { active: quantities, disabled: [] },
    }));
    const { figureManager: _figures, detectorManager: _detectors, scoringManager: _scoring, ...kept } = json;
    return {
      ...kept,
      metadata: { version: 0.6, type: 'Editor', generator: 'Editor.toJSON' },
      scene: { object: { type: 'Scene', children }, geometries: [], materials: [] },
      detectManager: { detectGeometries, filters },
      scoringManager: { name: 'Outputs', scoringOutputs },
      beam: { ...beam, beamSourceType: sourceType, beamSourceFile: sourceFile },
    };
  }

  it('is read as the same project', () => {
    const { scoringManager, figureManager, detectorManager, beam, readingWarnings } = readProject(oldProject());
    const today = read({});
    expect(figureManager.figures).toEqual(today.figureManager.figures);
    expect(detectorManager.detectors.map(({ uuid, name, geometryData }) => [uuid, name, geometryData])).toEqual(
      today.detectorManager.detectors.map(({ uuid, name, geometryData }) => [uuid, name, geometryData]),
    );
    expect(scoringManager.filters).toEqual(today.scoringManager.filters);
    expect(scoringManager.outputs).toMatchObject(
      today.scoringManager.outputs.map(({ uuid, name, quantities, detectorUuid }) => ({
        uuid,
        name,
        quantities,
        detectorUuid,
      })),
    );
    expect(beam).toMatchObject(today.beam);
    expect(readingWarnings).toEqual([]);
  });

  it('has geometries in userData, cylinders with the sizes of the graphics library, quantities and a world without names', () => {
    const old = oldProject() as Record<string, Record<string, Json>>;
    const { scene = {}, zoneManager: zones = {}, scoringManager: scoring = {} } = old;
    const userData = {
      geometryType: 'CylinderGeometry',
      position: [0, 0, 10],
      parameters: { radiusTop: 5, height: 20 },
    };
    Object.assign(scene.object ?? {}, { children: [{ uuid: IDS.tank, userData }] });
    const world = { width: 20, height: 20, depth: 40 };
    const { materialUuid } = zones.worldZone ?? {};
    Object.assign(zones, {
      worldZone: { materialUuid, userData: { geometryType: 'BoxGeometry', position: [0, 0, 0], parameters: world } },
    });
    const [first] = scoring.scoringOutputs as unknown as Json[];
    Object.assign(first ?? {}, { quantities: { active: [{ uuid: 'q', keyword: 'dLET' }] } });
    const { figureManager, zoneManager, scoringManager } = readProject(old);
    expect(figureManager.figures).toMatchObject([
      { geometryData: { parameters: { innerRadius: 0, radius: 5, depth: 20 } } },
    ]);
    expect(zoneManager.worldZone?.geometryData).toMatchObject({ geometryType: 'BoxGeometry', parameters: world });
    expect(scoringManager.outputs[0]?.quantities).toMatchObject([{ name: 'dLET', keyword: 'dLET' }]);
  });

  it('may stand in a file of results that the editor saved', () => {
    const json = buildProject();
    for (const file of [
      { inputJson: json, jobState: 'COMPLETED' },
      { jobId: 'j', input: { inputJson: json } },
    ]) {
      expect(readProject(file)).toEqual(readProject(json));
    }
    expect(codeOf(() => readProject({ inputJson: { inputJson: json } }))).toBe('PROJECT_INVALID');
  });

  it('is not nested deeper than today’s', () => {
    let child: Json = { uuid: 'deepest' };
    for (let depth = 0; depth < 5_000; depth += 1) child = { uuid: `${depth}`, children: [child] };
    const scene = { object: { children: [child] } };
    expect(codeOf(() => readProject({ ...oldProject(), scene }))).toBe('PROJECT_TOO_LARGE');
  });

  it('that is no layout at all is read or refused with its places, not with an error of ours', () => {
    for (const value of [null, 7, 'x', [], {}, [null], { object: 7 }, { object: { children: [7, null] } }]) {
      for (const key of ['scene', 'detectManager', 'scoringManager', 'beam']) {
        expect(codeOf(() => readProject({ ...oldProject(), [key]: value }))).toMatch(/^(read|PROJECT_INVALID)$/);
      }
    }
  });
});

function codeOf(action: () => unknown): string {
  try {
    action();
    return 'read';
  } catch (err) {
    if (err instanceof ConversionError) return err.reason;
    throw err;
  }
}

describe('particles', () => {
  it('may stand beside the beam by their number', () => {
    const { particle: _, ...beam } = buildProject().beam as Json;
    expect(readProject(buildProject({ '/beam': { ...beam, particle_PDG: 1000060120 } })).beam.particle.pdg).toBe(
      1000060120,
    );
  });

  it('have a number, by the list of the project or their own, in the beam and in filters of every kind', () => {
    const filters = [
      { uuid: IDS.protons, name: 'one', particle: { id: 3 } },
      { uuid: 'b', name: 'own', particle: { pdg: 1000060120 } },
      { uuid: 'c', name: 'list', filterType: 'particle', data: { particleTypes: [{ id: 6 }, { pdg: 2112 }] } },
    ];
    const numbersIn = (simulator: string) => {
      const project = read({
        '/project/simulator': simulator,
        '/beam/particle': { id: 11, name: '?' },
        '/scoringManager/filters': filters,
      });
      const inFilters = project.scoringManager.filters.flatMap((filter) =>
        filter.variant === 'particle'
          ? [filter.particle]
          : filter.variant === 'geant4'
            ? filter.data.particleTypes
            : [],
      );
      return [project.beam.particle, ...inFilters].map(({ pdg }) => pdg);
    };
    expect(numbersIn('common')).toEqual([130, -211, 1000060120, undefined, 2112]);
    expect(numbersIn('geant4')).toEqual([1000060120, 22, 1000060120, 1000020040, 2112]);
  });
});

describe('quantities of the first Geant4 projects', () => {
  it('have the keyword of their scorer', () => {
    const { keyword: _, ...unnamed } = quantity(IDS.dose, 'Dose', '');
    for (const [quantityType, keyword] of [
      ['doseDeposit', 'DoseGy'],
      ['energyDeposit', 'Energy'],
      ['cellFlux', 'Fluence'],
    ]) {
      const { outputs } = read({
        '/scoringManager/outputs/0/quantities/0': { ...unnamed, quantityType },
      }).scoringManager;
      expect(outputs[0]?.quantities[0]?.keyword).toBe(keyword);
    }
  });
});

describe('the world', () => {
  it.each([5, 5.1, 1e300, 0, -1, null, 'wide', [], undefined])(
    'as a cylinder of inner radius %j is solid',
    (innerRadius) => {
      const parameters = { radius: 5, depth: 24, innerRadius };
      const project = read({ [`${WORLD}/geometryData/parameters`]: parameters });
      expect(project.zoneManager.worldZone?.geometryData?.parameters).toMatchObject({ innerRadius: 0, radius: 5 });
      expect(project.readingWarnings).toEqual([]);
    },
  );

  it.each([
    ['Box', 'BoxGeometry', { width: 20, height: 30, depth: 40 }],
    ['Cylinder', 'HollowCylinderGeometry', { innerRadius: 0, radius: 20, depth: 40 }],
    ['Sphere', 'SphereGeometry', { radius: 20 }],
  ])('of an old file has its size beside the type %s', (type, geometryType, parameters) => {
    const project = read({
      [`${WORLD}/geometryData`]: undefined,
      [`${WORLD}/geometryType`]: type,
      [`${WORLD}/size`]: { x: 20, y: 30, z: 40 },
      [`${WORLD}/center`]: { x: 0, y: 0, z: 10 },
    });
    expect(project.zoneManager.worldZone?.geometryData).toEqual({
      geometryType,
      parameters,
      position: [0, 0, 10],
      rotation: [0, 0, 0],
    });
  });
});

describe('a figure', () => {
  it('without a wall is solid, with a warning, wherever it stands in the tree', () => {
    const pipe = figure('pipe', 'Pipe', 'CyliderGeometry', [0, 0, 0], { innerRadius: 2, radius: 2, depth: 1 });
    const world = figure('world', 'World', 'BoxGeometry', [0, 0, 0], { width: 9, height: 9, depth: 9 });
    const project = read({
      '/project/simulator': 'geant4',
      '/zoneManager': undefined,
      '/figureManager/figures': [{ ...world, children: [pipe] }],
    });
    expect(project.figureManager.figures[0]?.children[0]?.geometryData).toMatchObject({
      geometryType: 'HollowCylinderGeometry',
      parameters: { innerRadius: 0, radius: 2 },
    });
    expect(project.readingWarnings).toEqual([{ code: 'FIGURE_SOLID', message: expect.stringContaining('"Pipe"') }]);
  });
});
