import type { jobs } from '@tally/contracts';
import { type EventPart, RETRY_MAX_MS } from '../../../clients/job-events.js';
import { answerInvalid } from '../../../errors.js';
import { state, toFailure, toJobEnd, toTaskStatus, toTimestamp } from '../../mappers.js';
import { defineRoute } from '../../route.js';
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
    const isAllowed = () => services.isSessionAlive(request.session); // a client that has refreshed its token comes again
    const end = services.eventStreams.open(request.session.userId, isAllowed, gone);
    const events = services.jobEvents.follow(request.session.userId, afterId, end.signal);
    const first = await events.next(); // an error shows here, before the answer has begun
    if (first.done) throw answerInvalid('a stream of events did not begin');
    const head = `retry: ${RETRY_MAX_MS}\n${toText(first.value)}`;
    return { kind: 'events', status: 200, head, events, toText, end: end.signal };
  },
});

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
