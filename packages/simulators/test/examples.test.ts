import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { changeAt } from '../src/project/json.js';
import { readPrimaries, readProject, readTitle } from '../src/project/read-project.js';
import { createReferenceDriver } from '../src/reference/reference-driver.js';

const FOLDER = path.join(import.meta.dirname, '../../../examples');
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

/** Every uuid of a project, wherever it stands. */
function collectUuids(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const own = 'uuid' in json && typeof json.uuid === 'string' ? [json.uuid] : [];
  return [...own, ...Object.values(json).flatMap(collectUuids)];
}

/** Without what the editor writes into every project and shows for none of these: a source file, traces. */
function withoutUnseen(json: unknown): object {
  const unseen = ['/beam/sad', '/beam/sourceFile', '/scoringManager/outputs/*/trace'];
  return unseen.reduce((project, pattern) => changeAt(project, pattern, () => undefined), json) as object;
}

describe('examples', () => {
  it('are there', () => {
    expect(NAMES).toEqual([
      'carbon-270mevu-water.json',
      'electron-12mev-water.json',
      'proton-150mev-water.json',
      'proton-bone-slab.json',
      'proton-sobp-water.json',
    ]);
  });

  it.each(NAMES)('%s is a sound project of format 0.12 with uuids of its own', (name) => {
    const json: unknown = JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8'));
    const project = readProject(json);
    expect(project.metadata).toMatchObject({ version: '0.12', type: 'Editor' });
    expect(project).toMatchObject(withoutUnseen(json));
    expect(readTitle(project)).toBeDefined();
    expect(readPrimaries(project)).toBeGreaterThanOrEqual(10_000);
    const uuids = collectUuids(json);
    expect(new Set(uuids).size).toBe(uuids.length);
    expect(
      uuids.every((uuid) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uuid)),
    ).toBe(true);
  });

  it.each(NAMES.filter((name) => !name.startsWith('carbon')))('%s is converted without a warning', (name) => {
    const json: unknown = JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8'));
    expect(createReferenceDriver('simA').convert(readProject(json)).warnings).toEqual([]);
  });
});
