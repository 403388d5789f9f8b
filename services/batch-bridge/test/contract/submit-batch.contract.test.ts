import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it, jest } from '@jest/globals';
import { jobFile } from '@tally/batch-helper';
import { waitFor } from '@tally/testkit';
import { markerOf } from '../../src/domain/submission.js';
import { UPDATE_KEY } from '../neighbours.js';
import { useWorld } from '../world.js';

jest.setTimeout(90_000);
const world = useWorld();
const modeOf = (file: string) => statSync(file).mode & 0o777;

describe('SubmitBatch OK, submitted', () => {
  it('takes a job to the scheduler: folder, one array, and the collect job behind it', async () => {
    world.setCredential();
    const { submit } = await world.start({ gatewayUrl: 'https://tally.example' });
    const jobId = world.newJob(4, { 'input.txt': 'first\n', 'geo.dat': 'second\n' });
    expect(await submit(jobId)).toEqual({ $case: 'submitted', value: {} });

    const folder = world.folderOf(jobId);
    expect(modeOf(folder)).toBe(0o700);
    expect(modeOf(`${folder}/update.key`)).toBe(0o600);
    expect(readFileSync(`${folder}/update.key`, 'utf8').trim()).toBe(UPDATE_KEY);
    expect(readFileSync(`${folder}/deck/geo.dat`, 'utf8')).toBe('second\n');
    const job = jobFile.parse(readFileSync(`${folder}/job.json`));
    expect(job).toMatchObject({ jobId, simType: 'simA', seed: '12345678901234567890', simulator: null });
    expect(job.gateway).toEqual({ url: 'https://tally.example', caFile: null });
    expect(job.tasks[3]).toEqual({ taskId: 4, primaries: 10, firstHistory: 30 });
    expect(readFileSync(`${folder}/job.json`, 'utf8')).not.toContain(UPDATE_KEY);

    const names = new Set(world.rows(jobId).map(({ name }) => name));
    expect(names).toEqual(new Set([markerOf(jobId, 0), markerOf(jobId, 1)]));
    const [report] = world.neighbours.job(jobId).reports;
    expect(report).toMatchObject({ jobDir: folder, waitingReason: '' });
    expect(String(report?.arrayId)).toBe(world.rows(jobId).find(({ name }) => name === markerOf(jobId, 1))?.id);

    await waitFor(() => readdirSync(folder).includes('ran-collect'), { what: 'the collect job', timeoutMs: 60_000 });
    const ran = readdirSync(folder).filter((name) => name.startsWith('ran-'));
    expect(ran.sort()).toEqual(['ran-1', 'ran-2', 'ran-3', 'ran-4', 'ran-collect']);
    expect(readFileSync(`${folder}/ran-3`, 'utf8')).toBe(`run --folder ${folder} --task 3`);
  });
});
