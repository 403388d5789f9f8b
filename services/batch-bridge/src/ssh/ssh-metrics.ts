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

/** What sets up a command: env(1) with its variables, timeout(1) with its times. */
const BEFORE: Readonly<Record<string, RegExp>> = { env: /=/, timeout: /^-|^\d+$/ };

/** Name of the program that a command runs, without its folder and what stands before it. */
export function commandName(argv: readonly string[]): string {
  const [first = '', ...rest] = argv;
  const before = BEFORE[first];
  if (before === undefined) return first.split('/').at(-1) ?? '';
  return commandName(rest.slice(rest.findIndex((word) => !before.test(word))));
}
