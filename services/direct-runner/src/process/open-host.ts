import { nodeHost, type ProcessHost } from '@tally/launcher';
import type { Logger } from '@tally/service-kit';

/** Opens the cheapest way to start processes that this machine offers; `close` undoes what that has changed. */
export async function openProcessHost(logger: Logger): Promise<ProcessHost & { close(): void }> {
  try {
    const { openPosixHost } = await import('@tally/launcher/process/posix-host');
    const posixHost = openPosixHost();
    if (posixHost !== undefined) return posixHost;
    logger.info({}, 'no posix_spawn on this system: processes are started by Node, which is slower');
  } catch (err) {
    logger.warn({ err }, 'posix_spawn cannot be used: processes are started by Node, which is slower');
  }
  return { ...nodeHost, close: () => {} };
}
