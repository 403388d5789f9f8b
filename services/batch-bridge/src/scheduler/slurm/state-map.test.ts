import { describe, expect, it } from '@jest/globals';
import { mapState, SLURM_STATES } from './state-map.js';

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
    ['COMPLETED', 'completed', false],
    ['CANCELLED by 1002', 'canceled', false],
    ['TIMEOUT', 'failed', false],
    ['OUT_OF_MEMORY', 'failed', false],
    ['FAILED', 'failed', false],
    ['NODE_FAIL', 'failed', true],
    ['PREEMPTED', 'failed', true],
  ])('takes %s for the end %s', (state, outcome, mayRunAgain) => {
    expect(mapState(state)).toEqual({ kind: 'ended', outcome, mayRunAgain });
  });

  it('takes a launch failure for the doing of the cluster', () => {
    expect(mapState('FAILED', 'JobLaunchFailure')).toMatchObject({ mayRunAgain: true });
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
