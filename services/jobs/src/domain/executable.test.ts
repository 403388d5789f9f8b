import { describe, expect, it } from '@jest/globals';
import { beginOn, canRun, describeMissing, nameExecutable } from './executable.js';

const OLD = new Map([['simC', '11.2']] as const);
const NEW = new Map([['simC', '11.3']] as const);
const UNKNOWN = new Map([['simC', '']] as const);
const NONE = new Map<'simC', string>();

describe('what a job runs on', () => {
  it('is any version until its first task, and then that one', () => {
    const any = nameExecutable('simC');
    expect([OLD, NEW, UNKNOWN, NONE].map((runner) => canRun(any, runner))).toEqual([true, true, true, false]);
    const begun = beginOn(any, OLD);
    expect(begun).toBe('simC=11.2');
    expect([OLD, NEW, UNKNOWN, NONE].map((runner) => canRun(begun, runner))).toEqual([true, false, false, false]);
    expect(beginOn(begun, NEW)).toBe(begun);
  });

  it('stays any version where the first runner does not know its own', () => {
    expect(beginOn(nameExecutable('simC'), UNKNOWN)).toBe('simC');
  });

  it('is named while no runner has it', () => {
    expect(describeMissing(nameExecutable('simC'))).toBe('it waits for a runner with simC');
    expect(describeMissing(nameExecutable('simC', '11.2'))).toBe(
      'it waits for a runner with simC 11.2, the version that its first task ran on',
    );
  });
});
