import { describe, expect, it } from '@jest/globals';
import { findDriver, readProject, SIM_TYPES } from '../src/index.js';
import { DRIVER_NAME as SIM_A } from '../src/sim-a/output/outputs.js';
import { DRIVER_NAME as SIM_B } from '../src/sim-b/output/outputs.js';
import { DRIVER_NAME as SIM_C } from '../src/sim-c/output/outputs.js';
import { DRIVER_NAME as SIM_D } from '../src/sim-d/output/outputs.js';
import { buildProject } from './build-project.js';

const NAMES = { simA: SIM_A, simB: SIM_B, simC: SIM_C, simD: SIM_D };
const executables = new Map(SIM_TYPES.map((simType) => [simType, '1']));

describe.each(SIM_TYPES)('the manifest of %s', (simType) => {
  it('is known to the reader of its outputs, and says of every page where it is', () => {
    const { files, manifest } = findDriver(simType, 'editor', executables).convert(readProject(buildProject()));
    expect(JSON.parse(files['manifest.json'] ?? '')).toEqual(manifest);
    expect(manifest.driver).toBe(NAMES[simType]);
    const sources = manifest.estimators.flatMap(({ pages }) => pages.map(({ source }) => source));
    expect(sources.length).toBeGreaterThan(0);
    expect(sources).not.toContain(undefined);
    const names = sources.map((source) => `${source?.file}/${source?.item}`);
    expect(new Set(names).size).toBe(names.length);
  });
});
