import { describe, expect, it } from '@jest/globals';
import { readJobId } from './job-id.js';
import { canFollow, markerOf, NEXT_PHASES, type PhaseKind } from './submission.js';

const PHASES = Object.keys(NEXT_PHASES) as PhaseKind[];
const ALLOWED = [
  'accepted uploaded',
  'accepted ended',
  'uploaded submitted',
  'uploaded ended',
  'submitted ended',
  'ended cleared',
];

describe('the phases of a submission', () => {
  it.each(PHASES.flatMap((current) => PHASES.map((next) => [current, next] as const)))('%s → %s', (current, next) => {
    expect(canFollow(next, current)).toBe(ALLOWED.includes(`${current} ${next}`));
  });

  it('all lead to the one at the end', () => {
    for (const first of PHASES) {
      let phase: PhaseKind | undefined = first;
      let steps = 0;
      while (phase !== undefined && phase !== 'cleared' && steps++ < PHASES.length) phase = NEXT_PHASES[phase].at(-1);
      expect(phase).toBe('cleared');
    }
  });
});

describe('readJobId', () => {
  const id = '20261121-150405-0191c2a4-7f3e-7c1d-9a55-1f2e3d4c5b6a';

  it('takes what jobs gives out, safe in a path and in a marker', () => {
    expect(markerOf(readJobId(id), 3)).toBe(`tally-${id}-3`);
  });

  it.each(['', '..', `${id}/..`, `../${id}`, `${id}\n`, id.toUpperCase(), `$(${id})`, id.slice(1)])(
    'refuses %j',
    (text) => {
      expect(() => readJobId(text)).toThrow(expect.objectContaining({ reason: 'JOB_ID_INVALID' }));
    },
  );
});
