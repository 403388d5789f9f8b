import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { checkBySchema, workspaceRoot } from '@tally/testkit';
import fc from 'fast-check';
import { ConversionError } from '../../src/conversion-error.js';
import { projectJsonSchema } from '../../src/description/project-schema.js';
import { readProject } from '../../src/project/read-project.js';
import { buildProject } from '../build-project.js';
import { GOLDEN_PROJECTS } from '../golden/projects.js';
import { SELECTION_PROJECTS } from '../golden/selection-projects.js';
import { randomProject } from '../random-project.js';

const EXAMPLES = path.join(workspaceRoot(), 'examples');
const examples = readdirSync(EXAMPLES)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name, JSON.parse(readFileSync(path.join(EXAMPLES, name), 'utf8')) as unknown] as const);
const golden = Object.entries<unknown>({ ...GOLDEN_PROJECTS, ...SELECTION_PROJECTS });
const faultsOf = checkBySchema(projectJsonSchema());
const isRead = (project: unknown) => {
  try {
    readProject(project);
    return true;
  } catch (err) {
    if (err instanceof ConversionError) return false;
    throw err;
  }
};

describe('the JSON Schema of projects', () => {
  it.each([...examples, ...golden])('takes %s, as its reader does', (_name, project) => {
    expect(isRead(project)).toBe(true);
    expect(faultsOf(project)).toEqual([]);
  });

  it.each([
    ['/beam/energy', '150'],
    ['/beam/energy', -1],
    ['/beam/position', [0, 0]],
    ['/beam/sigma/type', 'Round'],
    ['/beam/numberOfParticles', 1.5],
    ['/beam/energyUnit', 'J'],
    ['/beam/direction', 'z'],
    ['/figureManager/figures', {}],
    ['/figureManager/figures/0/uuid', 7],
    ['/figureManager/figures/0/geometryData/parameters/depth', null],
    ['/figureManager/figures/0/geometryData/geometryType', 'Torus'],
    ['/zoneManager/zones/0/materialUuid', 7],
    ['/zoneManager/zones/0/unionOperations/0/0/mode', 'xor'],
    ['/detectorManager/detectors/0/geometryData/parameters/zSegments', 0],
    ['/scoringManager/outputs/0/quantities/0/keyword', 7],
    ['/physic/enableNuclearReactions', 'yes'],
  ])('refuses %s: %j, as its reader does, and names the place', (pointer, value) => {
    const wrong = buildProject({ [pointer]: value });
    expect(isRead(wrong)).toBe(false);
    expect(faultsOf(wrong).some((fault) => fault.startsWith(pointer))).toBe(true);
  });

  it('takes whatever its reader takes', () => {
    fc.assert(
      fc.property(randomProject, (project) => {
        if (isRead(project)) expect(faultsOf(project)).toEqual([]);
      }),
    );
  });

  it('says titles, units and limits', () => {
    expect(projectJsonSchema()).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: {
        beam: {
          properties: {
            energy: { title: 'Mean energy', 'x-unit': 'energyUnit', exclusiveMinimum: 0, maximum: 1e12 },
            position: { title: 'Where the beam starts', 'x-unit': 'cm' },
            numberOfParticles: { title: 'Primaries', minimum: 1, default: 10_000 },
          },
          required: ['energy'],
        },
      },
    });
  });
});
