import { describe, expect, it } from '@jest/globals';
import { lateUploadNote } from './late-upload.js';
import { readEstimators } from './read-estimators.js';

const NOW = new Date('2026-01-02T03:04:05.678Z');
const dose = { name: 'Dose', pages: [{ data: { values: [1, 2], dimensions: [[1, 2]] } }, { data: { values: 5 } }] };
const note = (estimators: unknown[], taskId?: number) =>
  lateUploadNote(
    'j',
    { hash: 'ab', taskId, content: readEstimators(Buffer.from(JSON.stringify(estimators)), 1_000), sizeBytes: 123 },
    NOW,
  );

const textOf = ({ texts }: ReturnType<typeof note>) => texts[0]?.text.toString() ?? '';

describe('the note of an upload that came too late', () => {
  it('says what was dropped, with sizes, and is known by the upload', () => {
    expect(note([dose, { ...dose, name: 'LET' }])).toEqual({
      jobId: 'j',
      attemptId: 'late:ab',
      texts: [
        {
          taskId: 0,
          name: 'submission',
          offset: 0n,
          isNote: true,
          text: Buffer.from(
            '2026-01-02T03:04:05.678Z too late and dropped: final results, 123 bytes, 4 pages, 6 values: ' +
              'Dose (2, 1), LET (2, 1)\n',
          ),
        },
      ],
    });
  });

  it('says how many bins are only numbered', () => {
    const cut = { name: 'Dose', pages: [{ data: { values: [1, 2, 3, 4] }, axis_dim1: { values: [0.5, 1.5] } }] };
    expect(textOf(note([cut]))).toContain('1 page, 4 values: Dose (2 x 2)');
  });

  it('names the task, and does not list more than a hundred pages', () => {
    const many = { name: 'Dose', pages: Array.from({ length: 150 }, () => ({ data: { values: 1 } })) };
    const text = textOf(note([many], 3));
    expect(text).toContain('the output of task 3, 123 bytes, 150 pages, 150 values: Dose (1, 1,');
    expect(text).toContain('), 50 more pages');
    expect(text.length).toBeLessThan(600);
  });
});
