/** What values of enums are called in code, once for all services that read or write them. */
import { AuthProvider } from './gen/auth/v1/auth_service.js';
import { InputType, OnUnsupported, Platform, Simulator, State } from './gen/jobs/v1/jobs_service.js';

export const SIMULATORS = {
  simA: Simulator.SIMULATOR_SIM_A,
  simB: Simulator.SIMULATOR_SIM_B,
  simC: Simulator.SIMULATOR_SIM_C,
  simD: Simulator.SIMULATOR_SIM_D,
} as const;

export const PLATFORMS = {
  direct: Platform.PLATFORM_DIRECT,
  batch: Platform.PLATFORM_BATCH,
} as const;

export const INPUT_TYPES = {
  editor: InputType.INPUT_TYPE_EDITOR,
  files: InputType.INPUT_TYPE_FILES,
} as const;

export const UNSUPPORTED_CHOICES = {
  refuse: OnUnsupported.ON_UNSUPPORTED_REFUSE,
  omit: OnUnsupported.ON_UNSUPPORTED_OMIT,
} as const;

export const STATES = {
  UNKNOWN: State.STATE_UNKNOWN,
  PENDING: State.STATE_PENDING,
  RUNNING: State.STATE_RUNNING,
  MERGING_QUEUED: State.STATE_MERGING_QUEUED,
  MERGING_RUNNING: State.STATE_MERGING_RUNNING,
  COMPLETED: State.STATE_COMPLETED,
  FAILED: State.STATE_FAILED,
  CANCELED: State.STATE_CANCELED,
} as const;

export const AUTH_PROVIDERS = {
  local: AuthProvider.AUTH_PROVIDER_LOCAL,
  sso: AuthProvider.AUTH_PROVIDER_SSO,
} as const;

/** The name of a value in one of these tables; undefined: unspecified, or of a later release. */
export function nameOf<Name extends string, Value>(
  names: Readonly<Record<Name, Value>>,
  value: Value,
): Name | undefined {
  return (Object.keys(names) as Name[]).find((name) => names[name] === value);
}
