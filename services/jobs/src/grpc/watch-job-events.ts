import type { jobs } from '@tally/contracts';
import { actingUser, currentContext } from '@tally/service-kit';
import { type WatchPorts, watchJobEvents } from '../domain/events/watch-job-events.js';
import { toProtoWatchPart } from './mappers.js';

/** Of a call whose caller cannot go away. */
const NEVER = new AbortController().signal;

/** WatchJobEvents of jobs_service.proto. */
export function watchJobEventsRpc(ports: WatchPorts) {
  return async function* ({ afterId }: jobs.WatchJobEventsRequest): AsyncGenerator<jobs.WatchJobEventsResponse> {
    for await (const part of watchJobEvents(ports, actingUser(), afterId, currentContext()?.signal ?? NEVER)) {
      yield toProtoWatchPart(part);
    }
  };
}
