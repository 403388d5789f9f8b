import type { Availability, Cluster, ClusterSettings } from './cluster.js';

/** Clusters of the deployment. Implemented by storage; several copies of the service share it. */
export interface ClusterStore {
  /**
   * Makes the stored clusters those of the configuration, in its order. One that is gone from it is kept for its
   * submissions, but not listed or checked. Safe to repeat and to run at once.
   */
  replaceAll(clusters: readonly ClusterSettings[]): Promise<void>;
  /** In configured order. */
  list(): Promise<Cluster[]>;
  /**
   * Clusters whose last check is older than `before`, taken for the caller: nobody else gets them until the same time
   * has passed again.
   */
  takeDue(now: Date, before: Date): Promise<ClusterSettings[]>;
  setAvailability(name: string, availability: Exclude<Availability, { kind: 'unchecked' }>): Promise<void>;
}

/** Looks at a cluster from outside, without logging in. */
export interface HostProbe {
  /** Resolves when the pinned machine answers. @throws ServiceError HOST_KEY_CHANGED, CLUSTER_UNREACHABLE */
  probe(cluster: ClusterSettings): Promise<void>;
}

/** A command on a cluster's login node. */
export interface RemoteCommand {
  /** Program and arguments; quoted where they become shell words, and nowhere else. No control characters. */
  readonly argv: readonly string[];
  /** Text for its standard input. */
  readonly stdin?: string;
}

/** How a command ended. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs commands as one user on one cluster. */
export interface RemoteShell {
  /** @throws ServiceError COMMAND_LOST, COMMAND_TIMED_OUT, COMMAND_OUTPUT_TOO_LARGE, or why there is no connection */
  run(command: RemoteCommand): Promise<CommandResult>;
}
