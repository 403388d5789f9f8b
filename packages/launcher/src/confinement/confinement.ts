import type { ProcessEnd } from '@tally/simulators';
import type { ProcessRequest } from '../process/process-host.js';

/**
 * What keeps a simulator from the rest of the machine. `bubblewrap`: Linux namespaces of its own; `container`: another
 * container of the same pod; `none`: nothing but its process group.
 */
export const CONFINEMENT_KINDS = ['bubblewrap', 'container', 'none'] as const;
export type ConfinementKind = (typeof CONFINEMENT_KINDS)[number];

/** What the kernel is told of a confined command, where it can be. */
export interface KernelLimits {
  /** Processes and threads. */
  readonly processCountMax?: number;
  /** Longest file that is written: a signal (SIGXFSZ), or an error (EFBIG), ends what writes on. */
  readonly fileBytesMax?: number;
  /** Of its session among the sessions of the machine. */
  readonly niceness?: number;
}

/** Starts commands inside of something that they cannot leave, and that ends with them. */
export interface Confinement {
  /**
   * The command that starts `request` confined. It may write below `request.folder` only, and read the system's programs
   * and libraries and `readOnlyPaths`.
   * @param readOnlyPaths - absolute paths of files and folders; those that are not there are left out
   */
  wrap(request: ProcessRequest, readOnlyPaths: readonly string[], limits?: KernelLimits): ProcessRequest;
  /** How the confined process ended, by how the one that confines it did. */
  readEnd(end: ProcessEnd): ProcessEnd;
  /** The program that confines, as the kernel calls its processes. */
  readonly program: string;
}
