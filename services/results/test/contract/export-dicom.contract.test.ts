import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { newJobId } from '@tally/service-kit';
import { findPythonTool, hasDicomValidator, validateDicom } from '@tally/testkit';
import { exportFile } from '../exports.js';
import { finalPage, inputMessages, pageHeader, resultsMessages, streamOf, useResults } from '../results-suite.js';

const suite = useResults();
const folder = mkdtempSync(path.join(tmpdir(), 'tally-dicom-'));
const python = findPythonTool('readers')?.python;
const withReaders = python === undefined ? it.skip : it;
const withValidator = hasDicomValidator() ? it : it.skip;
// oxlint-disable-next-line no-console -- who runs the tests learns what is not tried
if (!hasDicomValidator()) console.log('no dciodvfy of dicom3tools: RT Dose is not validated');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const VALUES = [1, 2, 3, 4, 5, 6, 7, 8];
const ERRORS = VALUES.map((value) => value / 10);

/** A project as the editor has it, as far as its geometry goes. */
const project = ({ size = 10, energy = 150, name = 'tank' } = {}) => ({
  figureManager: { figures: [{ name, geometryData: { geometryType: 'Box', position: [0, 0, 5], size } }] },
  beam: { energy },
});

interface DoseJob {
  readonly submitted: string;
  readonly unit?: string;
  readonly kind?: results.InputKind;
}

/** A job with a dose of 2 × 2 × 2 bins of a centimetre. */
async function createDoseJob({ submitted, unit = 'MeV/g/prim', kind }: DoseJob): Promise<string> {
  const jobId = newJobId(new Date());
  const documents = [{ role: results.DocumentRole.DOCUMENT_ROLE_SUBMITTED, name: 'sim_data.json', text: submitted }];
  await suite.jobs.createInput(streamOf(inputMessages(jobId, documents, kind === undefined ? {} : { kind })));
  const page = pageHeader([2, 2, 2], { estimatorName: 'Dose \\ map', pageName: 'Dose', unit });
  await suite.gateway.putResults(streamOf(resultsMessages(jobId, [finalPage(page, VALUES, ERRORS)])));
  return jobId;
}

async function writeDose(jobId: string, request: Partial<results.ExportResultsRequest> = {}): Promise<string> {
  const { bytes } = await exportFile(suite, jobId, 'dicom', request);
  const file = path.join(folder, `${jobId}.dcm`);
  writeFileSync(file, bytes);
  return file;
}

interface ReadDose {
  readonly frame: string;
  readonly study: string;
  readonly patient: string;
  readonly instance: string;
  readonly comment: string;
  readonly summation: string;
  readonly plans: number;
  readonly values: { readonly hex: string };
}

async function readDose(jobId: string, request: Partial<results.ExportResultsRequest> = {}) {
  const script = path.join(import.meta.dirname, '../fixtures/read_results.py');
  const said = execFileSync(python ?? '', [script, 'dicom', await writeDose(jobId, request)], { encoding: 'utf8' });
  const { values, ...read } = JSON.parse(said) as ReadDose;
  return { ...read, doses: new Float64Array(Uint8Array.from(Buffer.from(values.hex, 'hex')).buffer) };
}

/** An element of two bytes in explicit little-endian, up to its value. */
const shortElement = (group: number, element: number) =>
  Buffer.from([group & 255, group >> 8, element & 255, element >> 8, 0x55, 0x53, 2, 0]);
const PIXELS = Buffer.from([0xe0, 0x7f, 0x10, 0x00, 0x4f, 0x57, 0, 0]);

/** The same file with doses of 16 bits, which the standard also takes: dciodvfy stops at 32 by an assertion of its own. */
function inSixteenBits(file: Buffer): Buffer {
  const at = file.indexOf(PIXELS) + PIXELS.length;
  const head = Buffer.from(file.subarray(0, at));
  for (const [element, value] of [
    [0x0100, 16],
    [0x0101, 16],
    [0x0102, 15],
  ] as const)
    head.writeUInt16LE(value, head.indexOf(shortElement(0x0028, element)) + 8);
  const bytes = file.readUInt32LE(at);
  const pixels = Buffer.alloc(4 + bytes / 2);
  pixels.writeUInt32LE(bytes / 2);
  for (let pixel = 0; pixel < bytes / 4; pixel += 1)
    pixels.writeUInt16LE(file.readUInt16LE(at + 4 + 4 * pixel + 2), 4 + 2 * pixel);
  return Buffer.concat([head, pixels]);
}

const GRAY = 1.602176634e-10;

describe('RT Dose', () => {
  withValidator.each([{}, { particles: 1e9 }])(
    'has no error by the module tables of the standard (%j)',
    async (request) => {
      const file = await writeDose(await createDoseJob({ submitted: JSON.stringify(project()) }), request);
      writeFileSync(file, inSixteenBits(readFileSync(file)));
      const said = validateDicom(file);
      expect(said).toContain('RTDose');
      // warnings are left: Debian's release is of before the standard had the term PLAN_OVERVIEW
      expect(said.filter((line) => /^error/i.test(line))).toEqual([]);
    },
  );

  withReaders('says that its dose is per primary, or of as many as are wanted, and is that dose', async () => {
    const jobId = await createDoseJob({ submitted: JSON.stringify(project()) });
    const [one, many] = [await readDose(jobId), await readDose(jobId, { particles: 1e9 })];
    expect([one.comment, many.comment]).toEqual(['Dose, per primary', 'Dose, of 1000000000 primaries']);
    expect(one.instance).not.toBe(many.instance);
    for (const [bin, value] of VALUES.entries()) {
      expect((one.doses[bin] ?? 0) / (value * GRAY)).toBeCloseTo(1, 8);
      expect((many.doses[bin] ?? 0) / (value * GRAY * 1e9)).toBeCloseTo(1, 8);
    }
  });

  withReaders('refers to no plan, of which there is none', async () => {
    const dose = await readDose(await createDoseJob({ submitted: JSON.stringify(project()) }));
    expect(dose).toMatchObject({ summation: 'PLAN_OVERVIEW', plans: 0 });
  });

  withReaders(
    'has one frame of reference, study and patient for the jobs of one geometry',
    async () => {
      const read = async (job: DoseJob) => {
        const { frame, study, patient } = await readDose(await createDoseJob(job));
        return { frame, study, patient };
      };
      const own = await read({ submitted: JSON.stringify(project()) });
      expect(await read({ submitted: JSON.stringify(project({ energy: 70, name: 'renamed' })) })).toEqual(own);
      expect(await read({ submitted: JSON.stringify({ input: { inputJson: project() } }) })).toEqual(own);
      const other = await read({ submitted: JSON.stringify(project({ size: 11 })) });
      for (const name of ['frame', 'study', 'patient'] as const) expect(other[name]).not.toBe(own[name]);
      const files = { kind: results.InputKind.INPUT_KIND_FILES, submitted: '{"geo.dat":"tank"}' };
      expect(await read(files)).toEqual(await read(files));
      expect((await read(files)).frame).not.toBe(own.frame);
    },
    60_000,
  );

  it('refuses to scale a dose that is not per primary', async () => {
    const jobId = await createDoseJob({ submitted: '{}', unit: 'Gy' });
    await expect(exportFile(suite, jobId, 'dicom', { particles: 10 })).rejects.toMatchObject({
      reason: 'FORMAT_UNSUITABLE',
      message: expect.stringContaining('not per primary ("Gy")'),
    });
  });
});

describe('a unit by choice', () => {
  it('is that of the pages that can be told in it, with values and errors times the factor, in every format', async () => {
    const jobId = await createDoseJob({ submitted: '{}', unit: 'MeV/cm' });
    const rows = async (unit?: string) =>
      (await exportFile(suite, jobId, 'csv', unit === undefined ? {} : { unit })).bytes.toString().split('\n');
    const [own, chosen, same] = [await rows(), await rows('keV/um'), await rows('Gy')];
    expect(own[0]).toContain('Dose [MeV/cm],error [MeV/cm]');
    expect(chosen[0]).toContain('Dose [keV/um],error [keV/um]');
    const numbers = (lines: readonly string[]) =>
      lines.slice(1, -1).map((line) => line.split(',').slice(3).map(Number));
    for (const [bin, [value = 0, error = 0]] of numbers(chosen).entries()) {
      expect(value).toBeCloseTo((VALUES[bin] ?? 0) / 10, 12);
      expect(error).toBeCloseTo((ERRORS[bin] ?? 0) / 10, 12);
    }
    expect(same).toEqual(own);
  });
});
