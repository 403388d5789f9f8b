import type { jobs } from '@tally/contracts';
import { type EventPart, RETRY_MAX_MS } from '../../../clients/job-events.js';
import { answerInvalid, state, toFailure, toJobEnd, toTaskStatus, toTimestamp } from '../../mappers.js';
import { defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import { type EventName, eventStream, followHeaders } from '../../schemas/event.js';

/** GET /jobs/events: what happens to the user's jobs, while it happens. */
export const followJobs = defineRoute({
  method: 'GET',
  path: '/jobs/events',
  auth: 'session',
  summary: "Changes of the user's jobs and tasks, as server-sent events",
  description:
    'Open it, wait for `ready`, then submit or read states: from then on every change is sent. A client that comes ' +
    'again sends the last id it has seen as `Last-Event-ID` (browsers do it by themselves): it misses nothing and gets ' +
    'nothing twice. The stream ends with the access token that it was opened with, at a logout, and when the service ' +
    'restarts: refresh the token if need be and come again.',
  requestClass: 'events',
  headers: followHeaders,
  responses: {
    200: { description: 'Changes as they happen', schema: eventStream, contentType: 'text/event-stream' },
    429: { description: 'The user has too many of these streams open' },
  },
  handle: async (request, services) => {
    const afterId = request.headers['Last-Event-ID'];
    const gone = request.call.signal ?? new AbortController().signal;
    const end = services.eventStreams.open(request.session.userId, gone);
    endWithSession(request, services, end);
    const changes = services.jobEvents.follow(request.session.userId, afterId, end.signal);
    const first = await changes.next(); // an error shows here, before the answer has begun
    if (first.done) throw answerInvalid('a stream of events did not begin');
    return { kind: 'events', status: 200, end: end.signal, events: eventsText(first.value, changes) };
  },
});

/** How often a stream looks whether its session still holds. */
const SESSION_CHECK_MS = 500;

/** A stream lives as long as the token that it was opened with; a client that has refreshed it reconnects. */
function endWithSession(
  { session }: Pick<RouteRequest<'session'>, 'session'>,
  services: RouteServices,
  end: AbortController,
): void {
  const check = setInterval(() => {
    if (!services.isSessionAlive(session)) end.abort();
  }, SESSION_CHECK_MS);
  end.signal.addEventListener('abort', () => clearInterval(check), { once: true });
}

async function* eventsText(first: EventPart, rest: AsyncIterable<EventPart>): AsyncGenerator<string> {
  yield `retry: ${RETRY_MAX_MS}\n${toText(first)}`;
  for await (const change of rest) yield toText(change);
}

function toText(change: EventPart): string {
  if (change.$case === 'opened') {
    return eventText(change.value.position, 'ready', { resumed: change.value.isResumed });
  }
  const { id, jobId, change: what } = change.value;
  switch (what?.$case) {
    case 'job':
      return eventText(id, 'job', { job_id: jobId, ...toJobStatus(what.value) });
    case 'task':
      return eventText(id, 'task', { job_id: jobId, ...toTaskStatus(what.value) });
    case 'deleted':
      return eventText(id, 'job_deleted', { job_id: jobId });
    case undefined:
      throw answerInvalid('an event is empty');
  }
}

function toJobStatus(job: jobs.JobChange) {
  return {
    job_state: state.toName(job.state),
    ntasks: job.taskCount,
    start_time: toTimestamp(job.startTime, 'start_time'),
    ...(job.endTime === undefined ? {} : { end_time: job.endTime.toISOString() }),
    ...toFailure(job.failure),
    ...toJobEnd(job),
    ...(job.waitingReason === '' ? {} : { waiting_reason: job.waitingReason }),
  };
}

/** JSON has no line feeds of its own, so one data line is enough. */
function eventText(id: bigint, name: EventName, data: object): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
