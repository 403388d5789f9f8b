import { describe, expect, it } from '@jest/globals';
import { OutputError } from '@tally/simulators/run';
import { decideEnd, type Evidence } from './decide-end.js';

const GOOD: Evidence = {
  process: { kind: 'exited', exitCode: 0 },
  stopCause: undefined,
  output: { kind: 'read', primaries: 100 },
  primaries: 100,
  errorLines: [],
  isRefusal: (exitCode) => exitCode === 2,
};
const reasonOf = (evidence: Partial<Evidence>) => {
  const end = decideEnd({ ...GOOD, ...evidence });
  return end?.kind === 'failed' ? end.reason : (end?.kind ?? 'nothing');
};

describe('the end of an attempt', () => {
  it('is completed only with exit code 0 and the output of all primaries', () => {
    expect(decideEnd(GOOD)).toEqual({ kind: 'completed', simulatedPrimaries: 100 });
    expect(reasonOf({ output: { kind: 'read', primaries: 99 } })).toBe('OUTPUT_INCOMPLETE');
    expect(reasonOf({ output: { kind: 'not-read' } })).toBe('OUTPUT_MISSING');
  });

  it('is a failure when the process ended well without a usable output', () => {
    const missing = new OutputError('MISSING', 'output.tally', 'the engine wrote no output');
    const broken = new OutputError('UNREADABLE', 'output.tally', 'cut short');
    expect(reasonOf({ output: { kind: 'unusable', err: missing } })).toBe('OUTPUT_MISSING');
    expect(reasonOf({ output: { kind: 'unusable', err: broken } })).toBe('OUTPUT_UNREADABLE');
    const foreign = new OutputError('UNSUPPORTED', 'a.bdo', 'has phase space');
    expect(decideEnd({ ...GOOD, output: { kind: 'unusable', err: foreign } })).toMatchObject({
      reason: 'OUTPUT_UNSUPPORTED',
      isRetryable: false,
    });
  });

  it('is a failure for any other end of the process, whatever output there is', () => {
    expect(reasonOf({ process: { kind: 'exited', exitCode: 1 } })).toBe('SIMULATOR_FAILED');
    expect(reasonOf({ process: { kind: 'signalled', signal: 'SIGSEGV' } })).toBe('SIMULATOR_CRASHED');
    expect(reasonOf({ process: { kind: 'unstartable', message: 'ENOENT' } })).toBe('SIMULATOR_UNSTARTABLE');
  });

  it('is not tried again when the simulator refuses the input', () => {
    const end = decideEnd({ ...GOOD, process: { kind: 'exited', exitCode: 2 }, errorLines: ['no such isotope'] });
    expect(end).toMatchObject({ kind: 'failed', reason: 'SIMULATOR_REFUSED', isRetryable: false });
  });

  it('names exit code, signal and the end of its error output', () => {
    const end = decideEnd({ ...GOOD, process: { kind: 'exited', exitCode: 3 }, errorLines: ['no such isotope'] });
    expect(end).toMatchObject({ kind: 'failed', isRetryable: true });
    expect(end?.kind === 'failed' && end.message).toBe(
      'the simulator failed: exit code 3; its error output ends: no such isotope',
    );
  });

  it('is the limit that was broken, even if the process then ended well, and is not tried again', () => {
    expect(reasonOf({ stopCause: 'time-limit' })).toBe('TIME_LIMIT_EXCEEDED');
    expect(reasonOf({ stopCause: 'memory-limit' })).toBe('MEMORY_LIMIT_EXCEEDED');
    expect(reasonOf({ stopCause: 'output-limit' })).toBe('OUTPUT_LIMIT_EXCEEDED');
    expect(decideEnd({ ...GOOD, stopCause: 'time-limit' })).toMatchObject({ isRetryable: false });
  });

  it('is told to nobody when the attempt is not ours any more', () => {
    expect(reasonOf({ stopCause: 'revoked' })).toBe('nothing');
    expect(reasonOf({ stopCause: 'lease-lost' })).toBe('nothing');
  });

  it('is handed back on a drain, unless it was finished just before', () => {
    const killed = { kind: 'signalled', signal: 'SIGTERM' } as const;
    expect(reasonOf({ stopCause: 'draining', process: killed, output: { kind: 'not-read' } })).toBe('released');
    expect(reasonOf({ stopCause: 'draining', output: { kind: 'read', primaries: 40 } })).toBe('released');
    expect(reasonOf({ stopCause: 'draining' })).toBe('completed');
  });

  it('is handed back when its job was stopped and its simulator has no output before its end', () => {
    const killed = { kind: 'signalled', signal: 'SIGTERM' } as const;
    expect(reasonOf({ stopCause: 'finished', process: killed, output: { kind: 'not-read' } })).toBe('released');
    expect(reasonOf({ isFinishedEarly: true, output: { kind: 'read', primaries: 40 } })).toBe('completed');
  });
});
