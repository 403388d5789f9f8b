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
  /**
   * @throws ServiceError COMMAND_LOST, COMMAND_TIMED_OUT, COMMAND_OUTPUT_TOO_LARGE, COMMAND_NOT_RUN, SSH_FAULT, or why there is no
   * connection
   */
  run(command: RemoteCommand): Promise<CommandResult>;
}
