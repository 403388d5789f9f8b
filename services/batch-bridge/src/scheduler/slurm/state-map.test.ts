import { describe, expect, it } from '@jest/globals';
import { mapState, meaningOf, SLURM_STATES } from './state-map.js';

/** Job states in the manual of squeue, Slurm 22.05 and 25.05. */
const DOCUMENTED =
  `BOOT_FAIL CANCELLED COMPLETED CONFIGURING COMPLETING DEADLINE EXPEDITING FAILED LAUNCH_FAILED NODE_FAIL
  OUT_OF_MEMORY PENDING POWER_UP_NODE PREEMPTED RECONFIG_FAIL RUNNING RESV_DEL_HOLD REQUEUE_FED REQUEUE_HOLD REQUEUED
  RESIZING REVOKED SIGNALING SPECIAL_EXIT STAGE_OUT STOPPED SUSPENDED TIMEOUT UPDATE_DB`.split(/\s+/);

describe('mapState', () => {
  it('knows every documented state, and no other', () => {
    expect([...SLURM_STATES].sort()).toEqual([...DOCUMENTED].sort());
  });

  it.each([
    ['COMPLETED', 'completed'],
    ['CANCELLED by 1002', 'canceled'],
    ['TIMEOUT', 'failed'],
    ['OUT_OF_MEMORY', 'failed'],
    ['FAILED', 'failed'],
    ['NODE_FAIL', 'failed'],
    ['PREEMPTED', 'failed'],
  ])('takes %s for the end %s', (state, outcome) => {
    expect(mapState(state)).toEqual({ kind: 'ended', outcome });
  });

  it('explains what a state does not say by itself', () => {
    expect(meaningOf('CANCELLED by 1002')).toBe('it was canceled on the cluster');
    expect(meaningOf('FAILED', 'JobLaunchFailure')).toContain('memory');
    expect(meaningOf('FAILED', 'NonZeroExitCode')).toBeUndefined();
  });

  it('never takes a state that it does not know for an end', () => {
    for (const state of ['', 'TELEPORTED', 'completed', 'N/A']) expect(mapState(state)).toEqual({ kind: 'unknown' });
  });

  it.each(['DependencyNeverSatisfied', 'PartitionTimeLimit', 'JobHeldAdmin', 'launch_failed_requeued_held'])(
    'sees that %s lasts for ever',
    (reason) => expect(mapState('PENDING', reason)).toEqual({ kind: 'pending', isStuck: true }),
  );

  it.each(['None', 'Resources', 'Priority', 'Dependency', 'BeginTime'])('waits while the reason is %s', (reason) =>
    expect(mapState('PENDING', reason)).toEqual({ kind: 'pending', isStuck: false }),
  );
});
