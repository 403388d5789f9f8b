import { describe, expect, it } from '@jest/globals';
import { decodeTaskOutput, encodeTaskOutput, MergeError, type TaskOutput, type TaskPage } from '@tally/merge';
import { buildProject } from '../../test/build-project.js';
import { fuzz } from '../../test/output/mutate.js';
import { ConversionError } from '../conversion-error.js';
import type { OutputFolder } from '../driver.js';
import { OutputError } from '../output-error.js';
import { readProject } from '../project/read-project.js';
import { createReferenceDriver } from './reference-driver.js';

const referenceDriver = createReferenceDriver('simA');

function folderOf(files: Readonly<Record<string, Uint8Array>>): OutputFolder {
  return {
    names: Object.keys(files),
    read: (name) => Promise.resolve(files[name] ?? new Uint8Array()),
  };
}

describe('apportion', () => {
  const share = { primaries: 25, firstHistory: 50, seed: '18446744073709551615' };

  it('adds the task to the deck and changes nothing else', () => {
    const { files } = referenceDriver.convert(readProject(buildProject()));
    const { 'task.json': task, ...rest } = referenceDriver.apportion(files, share);
    expect(rest).toEqual(files);
    expect(JSON.parse(task ?? '')).toEqual(share);
  });

  it('refuses a deck without a problem', () => {
    expect(() => referenceDriver.apportion({}, share)).toThrow(ConversionError);
  });
});

describe('command', () => {
  it('puts configured arguments first and names every file in the task folder', () => {
    const config = { executable: '/usr/bin/node', args: ['engine.js'], env: { LANG: 'C' } };
    expect(referenceDriver.command(config, '/tasks/task 1', {})).toEqual({
      executable: '/usr/bin/node',
      args: [
        'engine.js',
        '--problem',
        '/tasks/task 1/problem.json',
        '--task',
        '/tasks/task 1/task.json',
        '--output',
        '/tasks/task 1/output.tally',
        '--finish-file',
        '/tasks/task 1/finish',
      ],
      env: { LANG: 'C' },
    });
  });
});

describe('what cannot be run', () => {
  it('takes exit code 2 alone for a refusal', () => {
    expect([0, 1, 2, 3, 143].filter((exitCode) => referenceDriver.isRefusal(exitCode))).toEqual([2]);
  });

  it('takes no input files of users', () => {
    expect(() => referenceDriver.adoptFiles({ 'beam.dat': '' })).toThrow(
      expect.objectContaining({ reason: 'FILES_UNSUPPORTED' }),
    );
  });
});

describe('progress', () => {
  it("reads the engine's progress lines and no others", () => {
    expect(referenceDriver.progress('progress 1500 10000')).toEqual({ done: 1500, total: 10000 });
    expect(referenceDriver.progress('progress 1500 10000\r\n')).toEqual({ done: 1500, total: 10000 });
    for (const line of ['', 'progress', 'progress 1', 'no progress 1 2', 'progress 1 2 3', 'progress -1 2']) {
      expect(referenceDriver.progress(line)).toBeUndefined();
    }
  });
});

describe('outputs', () => {
  const { files } = referenceDriver.convert(
    readProject(buildProject({ '/scoringManager/outputs/0/quantities/0/primaries': 1e9 })),
  );
  const manifest = new TextEncoder().encode(files['manifest.json']);
  const page: TaskPage = {
    estimatorName: 'depth',
    fileName: 'depth',
    pageNumber: 1,
    pageName: 'Dose',
    kind: 'linear',
    unit: 'MeV/g/prim',
    scale: 1e9,
    axes: [],
    moments: [Float64Array.of(1), Float64Array.of(1)],
  };
  const perPrimary = { ...page, pageNumber: 2 };
  const output: TaskOutput = { primaries: 3, batches: 1, engine: 'reference', counters: {}, pages: [page, perPrimary] };
  const whole = encodeTaskOutput(output);

  it('give what the engine wrote, and no unit per primary where the project asks for absolute numbers', async () => {
    await expect(
      referenceDriver.outputs(folderOf({ 'manifest.json': manifest, 'output.tally': whole }), 3),
    ).resolves.toEqual({
      ...output,
      pages: [{ ...page, unit: 'MeV/g' }, perPrimary],
    });
  });

  it('say when the file is not there, cut short or foreign', async () => {
    await expect(referenceDriver.outputs(folderOf({ 'manifest.json': manifest }), 3)).rejects.toMatchObject({
      reason: 'MISSING',
      fileName: 'output.tally',
    });
    for (const bytes of [whole.subarray(0, 20), new Uint8Array(100)]) {
      const reading = referenceDriver.outputs(folderOf({ 'manifest.json': manifest, 'output.tally': bytes }), 3);
      await expect(reading).rejects.toBeInstanceOf(OutputError);
      await expect(reading).rejects.toMatchObject({ reason: 'UNREADABLE', fileName: 'output.tally' });
    }
  });

  it('survive 100 000 mutations with a typed error or a readable output', () => {
    const report = fuzz([whole], 100_000, decodeTaskOutput, (err) => err instanceof MergeError);
    expect(Math.min(report.read, report.refused)).toBeGreaterThan(1000);
    expect(report.slowestMs).toBeLessThan(10_000); // hostile text takes hours where reading is quadratic
  });

  it('need the manifest of the deck', async () => {
    await expect(referenceDriver.outputs(folderOf({ 'output.tally': whole }), 3)).rejects.toMatchObject({
      reason: 'MISSING',
      fileName: 'manifest.json',
    });
    const broken = folderOf({ 'output.tally': whole, 'manifest.json': new TextEncoder().encode('{"estim') });
    await expect(referenceDriver.outputs(broken, 3)).rejects.toMatchObject({ reason: 'UNREADABLE' });
  });
});
