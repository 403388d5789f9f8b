import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { ended, exampleProject, startTestSuite, submit, type TestSuite } from '../fixtures/suite-fixture.js';
import { HELD_MS_MAX, heldSettings, readHeld } from './awkward/held.js';

/** Of a map whose sums, with what float64 leaves of them, are 208 MB. */
const [COLUMNS, ROWS] = [2500, 2600];
const BYTES_MIN = 200e6;
const MAP = 'dose_map';

let suite: TestSuite;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-large-'));
  suite = await startTestSuite({ env: heldSettings(folder) });
});
afterAll(async () => {
  await suite?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Mapped {
  detectorManager: { detectors: { uuid: string; geometryData: { parameters: Record<string, number> } }[] };
  scoringManager: { outputs: { name: string; detectorUuid: string }[] };
}

/** The example's map alone, in so many bins. */
function finelyMapped() {
  const project = exampleProject('proton-150mev-water', 200) as ReturnType<typeof exampleProject> & Mapped;
  const outputs = project.scoringManager.outputs.filter(({ name }) => name === MAP);
  const [map] = project.detectorManager.detectors.filter(({ uuid }) => uuid === outputs[0]?.detectorUuid);
  if (map === undefined) throw new Error('the example has no map');
  Object.assign(map.geometryData.parameters, { xSegments: COLUMNS, zSegments: ROWS });
  project.scoringManager.outputs = outputs;
  return project;
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

it('a task that writes 200 MB keeps its heartbeats: no event loop is held meanwhile, and the first attempt ends it', async () => {
  const user = await suite.newUser();
  const sinceMs = Date.now();
  const status = await ended(user, await submit(user, { project: finelyMapped(), ntasks: 1 }), 280_000);
  expect([status.job_state, status.failure]).toEqual(['COMPLETED', undefined]);
  const held = readHeld(folder, sinceMs).filter(({ ranMs }) => ranMs > HELD_MS_MAX);
  expect(held.filter(({ service }) => ['direct-runner', 'jobs', 'gateway'].includes(service))).toEqual([]);
  const attempts = await query(
    suite.databases.jobs,
    `SELECT outcome FROM attempts WHERE number > 1 OR outcome <> 'completed'`,
  );
  expect(attempts).toEqual([]);
  const [stored] = await query<{ bytes: string }>(
    suite.databases.results,
    'SELECT max(size_bytes) AS bytes FROM blobs',
  );
  expect(Number(stored?.bytes)).toBeGreaterThan(BYTES_MIN);
}, 300_000);
