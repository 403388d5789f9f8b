import type { SimType } from '@tally/simulators';

/** A partition as users may ask for it. */
export interface Partition {
  readonly name: string;
  /** Longest wall time of a job in it, seconds. */
  readonly wallTimeSecondsMax: number;
  /** Largest memory of a task in it, MiB. */
  readonly memoryMibMax: number;
}

/** How a simulator is started on a cluster's nodes. */
export interface ClusterSimulator {
  /** Absolute path on the nodes. */
  readonly executable: string;
  /** Before the arguments that the driver gives. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** As results show it; empty: not known. */
  readonly version: string;
}

/** A cluster in the configuration. */
export interface ClusterSettings {
  /** Name in submissions, unique. */
  readonly name: string;
  /** Name for people. */
  readonly displayName: string;
  readonly host: string;
  readonly port: number;
  /** The only host keys that are accepted, each `<type> <base64>`; at least one. */
  readonly hostKeys: readonly string[];
  readonly scheduler: 'slurm';
  /** Absolute folder for job folders, with `{user}` where the login name goes. */
  readonly scratchFolder: string;
  /** In the order in which users should see them; the first is the default. At least one. */
  readonly partitions: readonly Partition[];
  /** Largest number of tasks in one array (Slurm's MaxArraySize, less one). */
  readonly arrayTasksMax: number;
  /** Absolute path of the cluster's Node.js program; null: the bridge uploads one. */
  readonly nodeProgram: string | null;
  /** Whether a job can reach the gateway; otherwise the bridge fetches what it has written. */
  readonly isReachingGateway: boolean;
  /** Certificates of authorities by which nodes know the gateway, a PEM file there, absolute; null: those of Node.js. */
  readonly gatewayCaFile: string | null;
  /** `auto`: simulators are confined by bubblewrap on nodes where it works; `none`: by nothing. */
  readonly confinement: 'auto' | 'none';
  /** What they read there beside the system, and beside what their commands name; absolute paths. */
  readonly readOnlyPaths: readonly string[];
  /** Started before their executables, and confines them instead of bubblewrap; `{folder}` is the task's folder. Empty: nothing. */
  readonly wrapper: readonly string[];
  /** Simulators that are installed there; the built-in engine stands in for others. */
  readonly simulators: Readonly<Partial<Record<SimType, ClusterSimulator>>>;
}

/** Why a cluster is not available. */
export type Unavailability = 'HOST_KEY_CHANGED' | 'CLUSTER_UNREACHABLE';

/** Outcome of a check; `unchecked` until the first one. */
export type Availability =
  | { readonly kind: 'unchecked' }
  | { readonly kind: 'available'; readonly checkedAt: Date }
  | { readonly kind: 'unavailable'; readonly checkedAt: Date; readonly reason: Unavailability };

/** A cluster of this deployment with the outcome of its last check. */
export interface Cluster {
  readonly settings: ClusterSettings;
  /** When a copy of the service last began a check; absent: never. */
  readonly checkStartedAt?: Date;
  readonly availability: Availability;
}
