import type { Readable } from 'node:stream';

/** How a task stands, with the members of `update_dict` of `POST /tasks`. */
export interface TaskUpdate {
  readonly task_state: 'RUNNING' | 'COMPLETED' | 'FAILED';
  readonly simulated_primaries: number;
  readonly start_time: string;
  /** Remaining, whole seconds; undefined: not known. */
  readonly estimated_time?: number;
  readonly end_time?: string;
  readonly failure?: string;
}

/** A task's output, to be read as often as it is sent. */
export interface OutputSource {
  readonly primaries: number;
  readonly sizeBytes: number;
  /** The bytes from the beginning. */
  open(): Readable;
}

/** The service, as a helper reaches it. Every call may be repeated. All throw {@link GatewayError}. */
export interface Gateway {
  /** Resolves to whether the task should stop; or finish, with what it has simulated. */
  updateTask(
    taskId: number,
    update: TaskUpdate,
    signal: AbortSignal,
  ): Promise<{ readonly mustStop: boolean; readonly mustFinish: boolean }>;
  /** @param offset - bytes of the log before `text` */
  appendLog(taskId: number, offset: number, text: string, signal: AbortSignal): Promise<void>;
  putOutput(taskId: number, output: OutputSource, signal: AbortSignal): Promise<void>;
}
