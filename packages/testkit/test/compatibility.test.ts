import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '../src/index.js';

// tools/previous/compatibility.mjs: docs/compatibility.md; tools/previous/chart-variables.mjs: its facts about the chart.

type Method = { methodKind: string; input: { typeName: string }; output: { typeName: string }; idempotency: number };
interface Contracts {
  readonly methods: ReadonlyMap<string, Method>;
}
interface Chart {
  readonly variables: readonly string[];
  readonly required: readonly string[];
}
interface Image {
  readonly settings: readonly string[];
  readonly required: readonly string[];
}
interface Release {
  readonly version: string;
  readonly contracts: Contracts;
  readonly operations: readonly string[];
  readonly chart: ReadonlyMap<string, Chart>;
  readonly images: ReadonlyMap<string, Image>;
}
interface Compatibility {
  readonly compatibilityDocument: (known: {
    callers: Record<string, readonly string[]>;
    previous: Release;
    now: Release;
  }) => string;
}
interface ChartVariables {
  readonly readChart: (folder: string) => ReadonlyMap<string, Chart>;
}
const load = async (file: string): Promise<unknown> =>
  import(pathToFileURL(path.join(workspaceRoot(), 'tools/previous', file)).href);
const { compatibilityDocument } = (await load('compatibility.mjs')) as Compatibility;
const { readChart } = (await load('chart-variables.mjs')) as ChartVariables;

const method = (input: string): Method => ({
  methodKind: 'unary',
  input: { typeName: input },
  output: { typeName: 'Answer' },
  idempotency: 0,
});
const contracts = (...methods: [string, string][]): Contracts => ({
  methods: new Map(methods.map(([name, input]) => [name, method(input)])),
});
const PUT = '/batch_bridge.v1.BatchBridgeService/Put';
const GET = '/jobs.v1.JobsService/Get';
const callers = { jobs: ['gateway'], 'batch-bridge': ['jobs'] };
const BEFORE: Release = {
  version: '1.0.0',
  contracts: contracts([GET, 'Question']),
  operations: ['GET /jobs'],
  chart: new Map(),
  images: new Map(),
};
const AFTER: Release = { ...BEFORE, version: '1.1.0' };
const documentOf = (previous: Partial<Release>, now: Partial<Release>) =>
  compatibilityDocument({ callers, previous: { ...BEFORE, ...previous }, now: { ...AFTER, ...now } });

describe('the table of versions', () => {
  it('names each caller with each service it calls, and the RPCs that only the later version has', () => {
    const text = documentOf({}, { contracts: contracts([GET, 'Question'], [PUT, 'Question']) });
    expect(text).toContain('| gateway | jobs | yes | yes | yes | yes |');
    expect(text).toContain('| jobs | batch-bridge | yes | yes | yes | yes, but for what is new |');
    expect(text).toContain('| batch-bridge | `Put` |');
  });

  it('names the clients, and the operations that only the later version has', () => {
    const same = documentOf({}, {});
    expect(same).toContain('| `tally` (command line) | gateway | yes | yes | yes | yes |');
    expect(same).toContain('Nothing can be asked for that could not be asked for before.');
    const text = documentOf({}, { operations: ['GET /jobs', 'GET /usage'] });
    expect(text).toContain('| `tally-client` (Python) | gateway | yes | yes | yes | yes, but for what is new |');
    expect(text).toContain('| gateway | `GET /usage` |');
  });

  it('says with which images a chart goes, and why not with others', () => {
    const release = (variables: string[], settings: string[], required: string[] = []) => ({
      chart: new Map([['jobs', { variables, required }]]),
      images: new Map([['jobs', { settings, required }]]),
    });
    const old = release(['JOBS_A'], ['JOBS_A']);
    expect(documentOf(old, release(['JOBS_A'], ['JOBS_A', 'JOBS_B']))).toContain('| jobs | yes | yes | yes | yes |');
    expect(documentOf(old, release(['JOBS_A', 'JOBS_B'], ['JOBS_A', 'JOBS_B']))).toContain(
      '| jobs | yes | yes | yes | no: the image does not know `JOBS_B` |',
    );
    expect(documentOf(old, release(['JOBS_A', 'JOBS_KEY'], ['JOBS_A', 'JOBS_KEY'], ['JOBS_KEY']))).toContain(
      '| jobs | yes | no: the chart does not give `JOBS_KEY` | yes | no: the image does not know `JOBS_KEY` |',
    );
    const added = { chart: new Map(), images: new Map() };
    expect(documentOf(added, old)).toContain('| jobs | not there | not there | yes | not there |');
  });

  it('is not made of releases that do not go together', () => {
    expect(() => documentOf({}, { contracts: contracts([GET, 'AnotherQuestion']) })).toThrow(GET);
    expect(() => documentOf({ operations: ['GET /jobs', 'GET /old'] }, {})).toThrow('GET /old');
  });
});

it('what a chart sets is read from its manifests: config maps, and secrets as files', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-chart-'));
  const write = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  };
  const secrets = [
    { key: 'database-url', variable: 'JOBS_DATABASE_URL', isRequired: true },
    { key: 'other', variable: 'JOBS_OTHER', isRequired: false },
  ];
  write('k8s/chart/files/services.json', JSON.stringify({ jobs: { prefix: 'JOBS', secrets } }));
  write(
    'k8s/manifests/jobs.yaml',
    `kind: ConfigMap
data: { JOBS_GRACE_MS: "1", NODE_ENV: production }
---
kind: Deployment
spec: { template: { spec: { containers: [{ env: [{ name: JOBS_DATABASE_URL_FILE, value: /a }] }] } } }
---
kind: Service
spec: {}
`,
  );
  expect([...readChart(folder)]).toEqual([
    ['jobs', { variables: ['JOBS_GRACE_MS', 'JOBS_DATABASE_URL'], required: ['JOBS_DATABASE_URL'] }],
  ]);
  fs.rmSync(folder, { recursive: true });
});

it('the chart of this release goes with the images of this release', () => {
  const chart = readChart(workspaceRoot());
  expect(chart.size).toBe(6);
  for (const { variables, required } of chart.values())
    expect(variables).toEqual(expect.arrayContaining([...required]));
});
