import { describe, expect, it } from '@jest/globals';
import type { Simulation } from '../api/queries.js';
import { sweepAsCsv } from './sweep-csv.js';
import { commonTitle, groupSweeps, readSweepTitle, writeSweepTitle } from './sweep-title.js';
import { readValues } from './values.js';

const job = (job_id: string, title: string): Simulation => ({
  job_id,
  title,
  job_state: 'COMPLETED',
  start_time: '2026-11-30T00:00:00Z',
  end_time: null,
  sim_type: 'simA',
  input_type: 'editor',
  platform: 'direct',
  ntasks: 1,
});

const place = (name: string) => ({ name, unit: '', isOfTemplate: false });

describe('the title of a job of a sweep', () => {
  it('is that of tally sweep, and is read as it was written', () => {
    const title = writeSweepTitle('Protons in water', [place('beam.energy'), place('beam.sigma.x')], [70, 0.5]);
    expect(title).toBe('Protons in water [beam.energy=70, beam.sigma.x=0.5]');
    expect(readSweepTitle(title)).toEqual({
      title: 'Protons in water',
      names: ['beam.energy', 'beam.sigma.x'],
      units: ['', ''],
      values: [70, 0.5],
    });
    const thickness = { name: 'thickness', unit: 'cm', isOfTemplate: true };
    expect(writeSweepTitle('Slab', [thickness], [2])).toBe('Slab [thickness = 2 cm]');
    expect(readSweepTitle('Slab [thickness = 2 cm, a.b=7]')).toEqual({
      title: 'Slab',
      names: ['thickness', 'a.b'],
      units: ['cm', ''],
      values: [2, 7],
    });
    const long = writeSweepTitle('x'.repeat(300), [place('beam.energy')], [70]);
    expect(readSweepTitle(long)).toMatchObject({ title: commonTitle('x'.repeat(300)), values: [70] });
    expect(writeSweepTitle('x'.repeat(300), [place('a.'.repeat(100))], [1]).length).toBe(256);
  });

  it.each(['Protons', 'Protons []', '[beam.energy=1]', 'Protons [a=1, b]'])('%s is another', (title) =>
    expect(readSweepTitle(title)).toBeUndefined(),
  );
});

describe('the sweeps of a user', () => {
  it('are jobs of one title and its parameters, by value; of two with the same value the newer counts', () => {
    const sweeps = groupSweeps([
      job('4', 'A [beam.energy=100]'),
      job('3', 'B'),
      job('2', 'A [beam.energy=70]'),
      job('1', 'A [beam.energy=100]'),
      job('0', 'A [beam.energySpread=1]'),
    ]);
    expect(sweeps.map(({ title, names, jobs }) => [title, names, jobs.map((one) => one.job.job_id)])).toEqual([
      ['A', ['beam.energy'], ['2', '4']],
      ['A', ['beam.energySpread'], ['0']],
    ]);
  });

  it('are a table with errors, units, states and jobs', () => {
    const R80 = { name: 'R80', value: 4.07, error: 0.01, unit: 'cm', definition: '' };
    const rows = [
      { values: [70], job: job('1', ''), readings: [R80] },
      { values: [100], job: job('2', ''), readings: [] },
    ];
    expect(sweepAsCsv({ names: ['beam.energy'] }, rows, 'MeV', ['sweep: A'])).toBe(
      '# sweep: A\nbeam.energy / MeV,R80 / cm,error of R80,state,job\n70,4.07,0.01,COMPLETED,1\n100,,,COMPLETED,2\n',
    );
  });
});

describe('values of a sweep', () => {
  it.each([
    ['70:230:80', [70, 150, 230]],
    ['0:0.3:0.1', [0, 0.1, 0.2, 0.3]],
    ['230:70:-80', [230, 150, 70]],
    ['70, 100;150 150', [70, 100, 150]],
    ['1e2', [100]],
  ])('%s', (text, values) => expect(readValues(text)).toEqual({ values }));

  it.each(['', '70:230', '70:230:0', '70:230:-1', '1:2:x', 'seventy', '0:1e6:1'])('%s says what is wrong', (text) =>
    expect(readValues(text)).toEqual({ fault: expect.stringMatching(/\.$/) }),
  );
});
