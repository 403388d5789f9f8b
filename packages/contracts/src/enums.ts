/** What values of enums are called in code, once for all services that read or write them. */
import { AuthProvider, GroupRole, TokenScope } from './gen/auth/v1/auth_service.js';
import {
  AccessAction,
  Confinement,
  EstimateBasis,
  InputType,
  OnUnsupported,
  Platform,
  ResourceKind,
  RetainedData,
  SharedView,
  Simulator,
  State,
  SubscriptionScope,
} from './gen/jobs/v1/jobs_service.js';
import { AxisTake, DocumentRole, ExportFormat, InputKind } from './gen/results/v1/results_service.js';

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

export const CONFINEMENTS = {
  none: Confinement.CONFINEMENT_NONE,
  bubblewrap: Confinement.CONFINEMENT_BUBBLEWRAP,
  container: Confinement.CONFINEMENT_CONTAINER,
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

export const ESTIMATE_BASES = {
  same: EstimateBasis.ESTIMATE_BASIS_SAME,
  alike: EstimateBasis.ESTIMATE_BASIS_ALIKE,
  engine: EstimateBasis.ESTIMATE_BASIS_ENGINE,
  model: EstimateBasis.ESTIMATE_BASIS_MODEL,
} as const;

export const AUTH_PROVIDERS = {
  local: AuthProvider.AUTH_PROVIDER_LOCAL,
  sso: AuthProvider.AUTH_PROVIDER_SSO,
} as const;

export const GROUP_ROLES = {
  viewer: GroupRole.GROUP_ROLE_VIEWER,
  member: GroupRole.GROUP_ROLE_MEMBER,
  manager: GroupRole.GROUP_ROLE_MANAGER,
} as const;

export const INPUT_KINDS = {
  editor: InputKind.INPUT_KIND_EDITOR,
  files: InputKind.INPUT_KIND_FILES,
} as const;

export const DOCUMENT_ROLES = {
  submitted: DocumentRole.DOCUMENT_ROLE_SUBMITTED,
  deck: DocumentRole.DOCUMENT_ROLE_DECK,
  simulatorDeck: DocumentRole.DOCUMENT_ROLE_SIMULATOR_DECK,
} as const;

export const EXPORT_FORMATS = {
  csv: ExportFormat.EXPORT_FORMAT_CSV,
  hdf5: ExportFormat.EXPORT_FORMAT_HDF5,
  npz: ExportFormat.EXPORT_FORMAT_NPZ,
  dicom: ExportFormat.EXPORT_FORMAT_DICOM,
  float64: ExportFormat.EXPORT_FORMAT_FLOAT64,
} as const;

export const AXIS_TAKES = {
  bins: AxisTake.AXIS_TAKE_BINS,
  bin: AxisTake.AXIS_TAKE_BIN,
  sum: AxisTake.AXIS_TAKE_SUM,
} as const;

export const TOKEN_SCOPES = {
  read: TokenScope.TOKEN_SCOPE_READ,
  submit: TokenScope.TOKEN_SCOPE_SUBMIT,
} as const;

export const RESOURCE_KINDS = {
  job: ResourceKind.RESOURCE_KIND_JOB,
  project: ResourceKind.RESOURCE_KIND_PROJECT,
} as const;

export const ACCESS_ACTIONS = {
  read: AccessAction.ACCESS_ACTION_READ,
  change: AccessAction.ACCESS_ACTION_CHANGE,
  delete: AccessAction.ACCESS_ACTION_DELETE,
  share: AccessAction.ACCESS_ACTION_SHARE,
} as const;

export const SHARED_VIEWS = {
  group: SharedView.SHARED_VIEW_GROUP,
  shared: SharedView.SHARED_VIEW_SHARED,
} as const;

export const SUBSCRIPTION_SCOPES = {
  all: SubscriptionScope.SUBSCRIPTION_SCOPE_ALL,
  job: SubscriptionScope.SUBSCRIPTION_SCOPE_JOB,
  sweep: SubscriptionScope.SUBSCRIPTION_SCOPE_SWEEP,
  group: SubscriptionScope.SUBSCRIPTION_SCOPE_GROUP,
} as const;

export const RETAINED_DATA = {
  jobs: RetainedData.RETAINED_DATA_JOBS,
  results: RetainedData.RETAINED_DATA_RESULTS,
  logs: RetainedData.RETAINED_DATA_LOGS,
} as const;

/** The name of a value in one of these tables; undefined: unspecified, or of a later release. */
export function nameOf<Name extends string, Value>(
  names: Readonly<Record<Name, Value>>,
  value: Value,
): Name | undefined {
  return (Object.keys(names) as Name[]).find((name) => names[name] === value);
}
