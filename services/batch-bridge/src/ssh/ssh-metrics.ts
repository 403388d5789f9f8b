/** Counts what is done over SSH. */
export interface SshMetrics {
  /** A connection was attempted. @param outcome - `ok`, or one of this service's reasons */
  connectionAttempted(clusterName: string, outcome: string): void;
  connectionOpened(clusterName: string): void;
  connectionClosed(clusterName: string): void;
  /** A command has ended. @param outcome - `ok`, `failed` (by its exit code), or one of this service's reasons */
  commandEnded(clusterName: string, command: string, outcome: string): void;
  bytesUploaded(clusterName: string, bytes: number): void;
}

/** Counts nothing. */
export const noSshMetrics: SshMetrics = {
  connectionAttempted: () => {},
  connectionOpened: () => {},
  connectionClosed: () => {},
  commandEnded: () => {},
  bytesUploaded: () => {},
};

/** Name of the program that a command runs, without its folder and what env(1) sets before it. */
export function commandName(argv: readonly string[]): string {
  const rest = argv[0] === 'env' ? argv.slice(1).filter((word) => !word.includes('=')) : argv;
  return rest[0]?.split('/').at(-1) ?? '';
}
