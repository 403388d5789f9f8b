import type { Notifier } from '../ports.js';
import type { ParkingStore } from './wait-ports.js';

export interface ParkPorts {
  readonly parking: ParkingStore;
  readonly notifier: Pick<Notifier, 'outbox' | 'window'>;
}

/**
 * One round over tasks that live runners cannot run: they leave the outbox, so that they take no place and no turn there, and come back
 * when a runner can. May be done by several copies at once.
 */
export async function parkMessages({ parking, notifier }: ParkPorts): Promise<void> {
  if (!(await parking.look())) return;
  const parkedCount = await parking.park();
  if (parkedCount > 0) notifier.window(parkedCount);
  if ((await parking.unpark()) > 0) notifier.outbox();
}
