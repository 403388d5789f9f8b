import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { newJobId, writeZip } from '@tally/service-kit';
import { findPythonTool, readZip } from '@tally/testkit';
import { exportFile } from '../exports.js';
import {
  asUser,
  collect,
  finalPage,
  inputMessages,
  OWNER,
  pageHeader,
  resultsMessages,
  streamOf,
  type TestDocument,
  useResults,
} from '../results-suite.js';

const folder = mkdtempSync(path.join(tmpdir(), 'tally-crate-'));
const suite = useResults({ workDir: path.join(folder, 'work') });
const python = findPythonTool('crates')?.python;
const withValidator = python === undefined ? it.skip : it;
// oxlint-disable-next-line no-console -- who runs the tests learns what is not tried
if (python === undefined) console.log('no roc-validator from PyPI: crates are not validated');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { DOCUMENT_ROLE_SUBMITTED, DOCUMENT_ROLE_DECK, DOCUMENT_ROLE_SIMULATOR_DECK } = results.DocumentRole;
const PROJECT = '{"metadata":{"type":"editor"}, "title": "Ω"}';
const DOCUMENTS: readonly TestDocument[] = [
  { role: DOCUMENT_ROLE_SUBMITTED, name: 'sim_data.json', text: PROJECT },
  { role: DOCUMENT_ROLE_DECK, name: 'deck.json', text: '{"primaries":3000}' },
  { role: DOCUMENT_ROLE_SIMULATOR_DECK, name: 'beam.dat', text: 'NSTAT 3000\n'.repeat(60_000) },
];
const JOB: results.CrateJob = {
  title: 'Protons in water',
  simulator: 'simA',
  platform: 'direct',
  seed: 2n ** 64n - 1n,
  taskCount: 3,
  primaries: 3000n,
  state: 'COMPLETED',
  failure: '',
  startTime: new Date('2026-01-02T03:04:05.678Z'),
  endTime: new Date('2026-01-02T03:05:05.678Z'),
  machines: ['runner-1', 'runner-2'],
};

async function newJob(
  hasResults: boolean,
  documents = DOCUMENTS,
  kind = results.InputKind.INPUT_KIND_EDITOR,
  header: Partial<results.ResultsHeader> = {},
): Promise<string> {
  const jobId = newJobId(new Date());
  await suite.jobs.createInput(streamOf(inputMessages(jobId, documents, { kind })));
  const page = finalPage(pageHeader([2, 3]), [1, 2, 3, 4, 5, 6.5], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
  if (hasResults) await suite.gateway.putResults(streamOf(resultsMessages(jobId, [page], header)));
  return jobId;
}

async function exportCrate(jobId: string, change: Partial<results.ExportCrateRequest> = {}, userId = OWNER) {
  const format = results.ExportFormat.EXPORT_FORMAT_HDF5;
  const request = { jobId, format, job: JOB, agent: 'ada', license: '', version: '0.1.0', ...change };
  const parts = await asUser(userId, () => collect(suite.gateway.exportCrate(request)));
  const header = parts[0]?.part?.$case === 'header' ? parts[0].part.value : undefined;
  if (header === undefined) throw new Error('a crate does not begin with its header');
  const bytes = Buffer.concat(parts.flatMap(({ part }) => (part?.$case === 'chunk' ? [part.value] : [])));
  const files = readZip(bytes);
  const { '@graph': graph } = JSON.parse(String(files.get('ro-crate-metadata.json'))) as { '@graph': Entity[] };
  const entity = (id: string) => graph.find((found) => found['@id'] === id);
  return { header, bytes, files, graph, entity };
}
type Entity = Record<string, unknown>;

/** Severity and message of what is wrong with each crate. */
/** Severity and message of what is wrong with each crate. */
function validate(crates: readonly Uint8Array[]) {
  const files = crates.map((bytes, i) => {
    const file = path.join(folder, `${i}.zip`);
    writeFileSync(file, bytes);
    return file;
  });
  const script = path.join(import.meta.dirname, '../fixtures/validate_crate.py');
  const told = JSON.parse(execFileSync(python ?? '', [script, ...files], { encoding: 'utf8' })) as [string, string][][];
  return told.map((issues) => issues.map(([severity, message]) => `${severity}: ${message}`));
}

describe('ExportCrate OK', () => {
  it('has what was submitted, the deck, the results, and the SHA-256 of each', async () => {
    const jobId = await newJob(true);
    const { header, files, entity } = await exportCrate(jobId);
    expect(header).toEqual({ fileName: `${jobId}.crate.zip`, version: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect([...files.keys()]).toEqual([
      'submission.json',
      'inputs/project.json',
      'deck/deck.json',
      'simulator-deck/beam.dat',
      `results/${jobId}.h5`,
      'README.md',
      'ro-crate-metadata.json',
    ]);
    expect(String(files.get('inputs/project.json'))).toBe(PROJECT);
    expect(JSON.parse(String(files.get('submission.json')))).toEqual({
      sim_type: 'simA',
      ntasks: 3,
      input_type: 'editor',
      title: 'Protons in water',
      seed: '18446744073709551615',
      sim_data: JSON.parse(PROJECT),
    });
    expect(files.get(`results/${jobId}.h5`)?.subarray(1, 4).toString()).toBe('HDF');
    for (const [name, content] of files) {
      if (name === 'ro-crate-metadata.json') continue;
      const sha256 = createHash('sha256').update(content).digest('hex');
      expect(entity(name)).toMatchObject({ sha256, contentSize: String(content.byteLength) });
    }
    expect(entity(`#run-${jobId}`)).toMatchObject({
      startTime: '2026-01-02T03:04:05.678+00:00',
      endTime: '2026-01-02T03:05:05.678+00:00',
      location: [{ '@id': '#machine-1' }, { '@id': '#machine-2' }],
      result: [{ '@id': `results/${jobId}.h5` }, { '@id': '#simulated' }],
      actionStatus: 'http://schema.org/CompletedActionStatus',
    });
    expect(entity('#agent')).toMatchObject({ name: 'ada' });
    expect(entity('#seed')).toMatchObject({ value: '18446744073709551615' });
    expect(entity('#engine-1')).toMatchObject({ name: 'reference', softwareVersion: '0.1.0' });
  });

  it.each([
    ['simC 11.4.1 own tables - not for claims about physics', 'Geant4 (simC)', '11.4.1 own tables - not for claims about physics'],
    ['simB 4-4.0', 'FLUKA (simB)', '4-4.0'],
    ['simD', 'TOPAS (simD)', undefined],
  ])('names the program of %j, and its version', async (engine, name, softwareVersion) => {
    const { entity } = await exportCrate(await newJob(true, DOCUMENTS, results.InputKind.INPUT_KIND_EDITOR, { engine }));
    const { name: shownName, softwareVersion: shownVersion } = entity('#engine-1') ?? {};
    expect([shownName, shownVersion]).toEqual([name, softwareVersion]);
  }); // biome-ignore format: one program a line

  it('says of an extended job what was submitted, and what was asked for after that', async () => {
    const target = { estimator: 'E', relative_error: 0.01, max_primaries: 9000 };
    const extensions = [
      { primaries: 1000n, taskCount: 2 },
      { primaries: 500n, taskCount: 1 },
    ];
    const submission = { taskCount: 3, targetJson: JSON.stringify(target), extensions };
    const { files } = await exportCrate(await newJob(true), {
      job: { ...JOB, platform: 'batch', taskCount: 6, primaries: 4500n, submission },
    });
    expect(JSON.parse(String(files.get('submission.json')))).toMatchObject({
      ntasks: 3,
      target,
      extensions: [
        { primaries: 1000, ntasks: 2 },
        { primaries: 500, ntasks: 1 },
      ],
      sim_data: JSON.parse(PROJECT),
    });
    const readme = String(files.get('README.md'));
    for (const path of ['/jobs/batch', '/jobs/batch/extend'])
      expect(readme).toContain(`as the body of \`POST ${path}\``);
  });

  it('is the same to the byte for the same job, its results those that are exported', async () => {
    const jobId = await newJob(true);
    const format = results.ExportFormat.EXPORT_FORMAT_NPZ;
    const first = await exportCrate(jobId, { format });
    expect((await exportCrate(jobId, { format })).bytes.equals(first.bytes)).toBe(true);
    const { bytes } = await exportFile(suite, jobId, 'npz');
    expect(first.files.get(`results/${jobId}.npz`)?.equals(bytes)).toBe(true);
  });

  it('has the files of the user once, as the deck, and says under which licence it is', async () => {
    const documents = [
      { role: DOCUMENT_ROLE_SUBMITTED, name: 'sim_data.json', text: '{"beam.dat":"NSTAT 3000"}' },
      { role: DOCUMENT_ROLE_DECK, name: 'beam.dat', text: 'NSTAT 3000' },
    ];
    const jobId = await newJob(false, documents, results.InputKind.INPUT_KIND_FILES);
    const job = { ...JOB, state: 'FAILED', failure: 'EXIT_CODE: 3' };
    const license = 'https://creativecommons.org/licenses/by/4.0/';
    const { files, entity, header } = await exportCrate(jobId, { job, license });
    expect([...files.keys()]).toEqual(['submission.json', 'deck/beam.dat', 'README.md', 'ro-crate-metadata.json']);
    expect(header.version).toBe('');
    expect(entity('./')).toMatchObject({ license: { '@id': license } });
    const action = entity(`#run-${jobId}`);
    expect(action).toMatchObject({
      actionStatus: 'http://schema.org/FailedActionStatus',
      error: 'EXIT_CODE: 3',
    });
    expect(action).not.toHaveProperty('result');
  });

  const valid = 'is valid for the reference validator, with results and without';
  withValidator(
    valid,
    async () => {
      const whole = await exportCrate(await newJob(true));
      const job = { ...JOB, state: 'FAILED', failure: 'EXIT_CODE: 3' };
      const failed = await exportCrate(await newJob(false), { job });
      const wrong = await withoutLicense(whole.bytes);
      const [wholes = [], fails = [], wrongs = []] = validate([whole.bytes, failed.bytes, wrong]);
      // what a deployment does not know: an address of an engine, and who publishes
      const isKnown = (text: string) => /absolute URI|have a url|affiliation|`publisher`/.test(text);
      expect(wholes.filter((text) => !isKnown(text))).toEqual([]);
      expect(fails.filter((text) => !isKnown(text))).toEqual(['RECOMMENDED: The Action SHOULD have a result']);
      expect(wrongs).toContainEqual(expect.stringMatching(/^REQUIRED: .*license/));
    },
    180_000,
  );
});

/** The same zip with a word in its description that no validator knows: it must say so. */
async function withoutLicense(bytes: Buffer): Promise<Buffer> {
  async function* files() {
    for (const [name, content] of readZip(bytes)) {
      const text = name === 'ro-crate-metadata.json' ? content.toString().replace('"license"', '"licence"') : content;
      const bytesOf = async function* () {
        yield Buffer.from(text);
      };
      yield { path: name, bytes: bytesOf(), isCompressible: true, modifiedAt: new Date(0) };
    }
  }
  return Buffer.concat(await collect(writeZip(files())));
}

describe('ExportCrate FAILED_PRECONDITION', () => {
  it('is for jobs that have ended', async () => {
    const jobId = await newJob(true);
    await expect(exportCrate(jobId, { job: { ...JOB, endTime: undefined } })).rejects.toMatchObject({
      reason: 'JOB_NOT_ENDED',
    });
  });
});

describe('ExportCrate PERMISSION_DENIED', () => {
  it("refuses another user's job", async () => {
    const jobId = await newJob(true);
    await expect(exportCrate(jobId, {}, 8n)).rejects.toMatchObject({ reason: 'JOB_OF_ANOTHER_USER' });
  });
});

describe('ExportCrate NOT_FOUND', () => {
  it('knows no such job', async () => {
    await expect(exportCrate('nothing')).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
  });
});

describe('ExportCrate INVALID_ARGUMENT', () => {
  it('refuses a format of one page', async () => {
    const jobId = await newJob(false, DOCUMENTS);
    const pages = [1, 2].map((pageNumber) => finalPage(pageHeader([1], { pageNumber }), [1], [0.1]));
    await suite.gateway.putResults(streamOf(resultsMessages(jobId, pages)));
    const format = results.ExportFormat.EXPORT_FORMAT_DICOM;
    await expect(exportCrate(jobId, { format })).rejects.toMatchObject({ reason: 'FORMAT_UNSUITABLE' });
  });
});
