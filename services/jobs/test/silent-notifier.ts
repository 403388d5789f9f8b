import type { Notifier } from '../src/domain/ports.js';

/** Nobody waits for anything. */
export const SILENT_NOTIFIER: Notifier = {
  outbox: () => {},
  tasks: () => {},
  window: () => {},
  duties: () => {},
};
