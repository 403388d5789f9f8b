import { describe, expect, it } from '@jest/globals';
import { OutputError } from '../output-error.js';
import { describeFailure, judgeRun, type RunEvidence } from './judge-run.js';

const GOOD: RunEvidence = {
  process: { kind: 'exited', exitCode: 0 },
  output: { kind: 'read', primaries: 100 },
  primaries: 100,
  errorLines: [],
  isRefusal: (exitCode) => exitCode === 2,
};
const faultOf = (evidence: Partial<RunEvidence>) => {
  const end = judgeRun({ ...GOOD, ...evidence });
  return end.kind === 'failed' ? end.fault : end.kind;
};
const unusable = (reason: OutputError['reason']) =>
  ({ kind: 'unusable', err: new OutputError(reason, 'a.bdo', 'says why') }) as const;

describe('a run', () => {
  it('is completed only with exit code 0 and the output of all primaries', () => {
    expect(judgeRun(GOOD)).toEqual({ kind: 'completed', simulatedPrimaries: 100 });
    expect(faultOf({ output: { kind: 'read', primaries: 99 } })).toBe('OUTPUT_INCOMPLETE');
    expect(faultOf({ output: { kind: 'read', primaries: 101 } })).toBe('OUTPUT_INCOMPLETE');
    const few = { kind: 'read', primaries: 99 } as const;
    expect(judgeRun({ ...GOOD, output: few, isFinishedEarly: true })).toMatchObject({ simulatedPrimaries: 99 });
    expect(faultOf({ output: { kind: 'read', primaries: 101 }, isFinishedEarly: true })).toBe('OUTPUT_INCOMPLETE');
    expect(faultOf({ output: { kind: 'not-read' } })).toBe('OUTPUT_MISSING');
  });

  it('fails when it ends well without a usable output', () => {
    expect(faultOf({ output: unusable('MISSING') })).toBe('OUTPUT_MISSING');
    expect(faultOf({ output: unusable('UNREADABLE') })).toBe('OUTPUT_UNREADABLE');
    expect(faultOf({ output: unusable('UNSUPPORTED') })).toBe('OUTPUT_UNSUPPORTED');
  });

  it('fails by any other end of its process, whatever output there is', () => {
    expect(faultOf({ process: { kind: 'exited', exitCode: 1 } })).toBe('SIMULATOR_FAILED');
    expect(faultOf({ process: { kind: 'exited', exitCode: 2 } })).toBe('SIMULATOR_REFUSED');
    expect(faultOf({ process: { kind: 'signalled', signal: 'SIGSEGV' } })).toBe('SIMULATOR_CRASHED');
    expect(faultOf({ process: { kind: 'unstartable', message: 'ENOENT' } })).toBe('SIMULATOR_UNSTARTABLE');
  });

  it('is described by what happened and the end of its error output', () => {
    expect(judgeRun({ ...GOOD, process: { kind: 'exited', exitCode: 3 }, errorLines: ['one', 'two'] })).toMatchObject({
      message: 'the simulator failed: exit code 3; its error output ends: one | two',
    });
    expect(describeFailure('it failed', '', [])).toBe('it failed');
  });
});
