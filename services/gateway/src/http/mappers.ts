import {
  AUTH_PROVIDERS,
  type auth,
  type Duration,
  INPUT_TYPES,
  type jobs,
  nameOf,
  PLATFORMS,
  type results,
  SIMULATORS,
  STATES,
  UNSUPPORTED_CHOICES,
} from '@tally/contracts';
import type { z } from 'zod';
import { fail } from './errors.js';
import type {
  inputTypeName,
  onUnsupportedName,
  platformName,
  simulatorName,
  stateName,
  taskStatus,
} from './schemas/job.js';

export type StateName = z.output<typeof stateName>;

/** Name ↔ number of the contract. @throws ServiceError ANSWER_INVALID for an unknown number: the other service is at fault */
function naming<Name extends string, Value extends number>(table: Readonly<Record<Name, Value>>) {
  return {
    toProto: (name: Name): Value => table[name],
    toName: (value: Value): Name => {
      const name = nameOf(table, value);
      if (name === undefined) throw answerInvalid(`unknown enum value ${value}`);
      return name;
    },
  };
}

export const state = naming<StateName, jobs.State>(STATES);
export const simulator = naming<z.output<typeof simulatorName>, jobs.Simulator>(SIMULATORS);
export const platform = naming<z.output<typeof platformName>, jobs.Platform>(PLATFORMS);
export const inputType = naming<z.output<typeof inputTypeName>, jobs.InputType>(INPUT_TYPES);
export const onUnsupported = naming<z.output<typeof onUnsupportedName>, jobs.OnUnsupported>(UNSUPPORTED_CHOICES);
export const source = naming<keyof typeof AUTH_PROVIDERS, auth.AuthProvider>(AUTH_PROVIDERS);

/** Provenance of results, in every answer with results. */
export function toProvenance({ primaries, taskCount, isPartial, engine, warnings }: results.ResultsHeader) {
  return {
    primaries: Number(primaries),
    tasks_merged: taskCount,
    partial: isPartial,
    engine,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Error for an answer outside its contract; the cause is for the log. */
export function answerInvalid(why: string) {
  return fail('ANSWER_INVALID', { cause: new Error(why) });
}

/** Message field that the contract promises. @throws ServiceError ANSWER_INVALID when it is absent */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw answerInvalid(`${name} is missing`);
  return value;
}

/** Instant → ISO 8601, UTC, milliseconds and Z. */
export function toTimestamp(at: Date | undefined, name: string): string {
  return required(at, name).toISOString();
}

/** Internal number of a job as answers show it: not where jobs does not say it. */
export function toSimulationId(simulationId: bigint): { readonly simulation_id?: number } {
  return simulationId === 0n ? {} : { simulation_id: Number(simulationId) };
}

/** Task → its status view (docs/http-interface.md, Task): optional members only when they are set. */
export function toTaskStatus(task: jobs.Task): z.output<typeof taskStatus> {
  const estimated = toHoursMinutesSeconds(task.estimatedTime);
  return {
    task_id: task.taskId,
    task_state: state.toName(task.state),
    requested_primaries: Number(task.requestedPrimaries),
    simulated_primaries: Number(task.simulatedPrimaries),
    last_update_time: toTimestamp(task.lastUpdateTime, 'last_update_time'),
    ...(estimated === undefined ? {} : { estimated_time: estimated }),
    ...(task.startTime === undefined ? {} : { start_time: task.startTime.toISOString() }),
    ...(task.endTime === undefined ? {} : { end_time: task.endTime.toISOString() }),
    ...(task.failure === '' ? {} : { failure: task.failure }),
  };
}

function toHoursMinutesSeconds(duration: Duration | undefined) {
  const seconds = Number(duration?.seconds ?? 0n);
  if (seconds <= 0) return undefined;
  return { hours: Math.floor(seconds / 3600), minutes: Math.floor(seconds / 60) % 60, seconds: seconds % 60 };
}
