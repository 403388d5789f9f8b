import { ESTIMATE_BASES, type jobs } from '@tally/contracts';
import type { JobEstimate, SimulatorEstimate } from '../domain/submit/estimate-job.js';
import type { TimeEstimate } from '../domain/submit/estimate-time.js';
import { toProtoSimulator } from './mappers.js';

/** What EstimateJob of jobs_service.proto answers. */
export function toProtoJobEstimate(estimate: JobEstimate): jobs.EstimateJobResponse {
  const { primaries, simulators, pool, clusterName = '', wallTimeSeconds } = estimate;
  return {
    primaries: BigInt(primaries),
    simulators: simulators.map(toProtoEstimate),
    ...pool,
    clusterName,
    wallTimeLimit: wallTimeSeconds === undefined ? undefined : toDuration(wallTimeSeconds),
  };
}

function toProtoEstimate(estimate: SimulatorEstimate): jobs.SimulatorEstimate {
  const { engine } = estimate;
  const simulator = toProtoSimulator(estimate.simulator);
  if ('refusal' in estimate) {
    return { simulator, engine, basis: ESTIMATE_BASES.model, jobCount: 0, refusal: estimate.refusal };
  }
  const { processor, wall, basis, runCount } = estimate;
  const times = { processor: toProtoTime(processor), wall: wall && toProtoTime(wall) };
  return { simulator, engine, ...times, basis: ESTIMATE_BASES[basis], jobCount: runCount, refusal: '' };
}

function toProtoTime({ expected, low, high }: TimeEstimate): jobs.TimeEstimate {
  return { expected: toDuration(expected), low: toDuration(low), high: toDuration(high) };
}

function toDuration(seconds: number) {
  const whole = Math.floor(seconds);
  return { seconds: BigInt(whole), nanos: Math.floor((seconds - whole) * 1e9) };
}
