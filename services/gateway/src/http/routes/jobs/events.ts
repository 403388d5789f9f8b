import { ACCESS_ACTIONS, type jobs } from '@tally/contracts';
import { currentContext, hasReason, newId, withContext } from '@tally/service-kit';
import { type EventPart, RETRY_MAX_MS } from '../../../clients/job-events.js';
import { answerInvalid } from '../../../errors.js';
import { onJob, toResource } from '../../access.js';
import { state, toFailure, toJobEnd, toTaskStatus, toTimestamp } from '../../mappers.js';
import { defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import { type EventName, eventStream, followHeaders, followQuery } from '../../schemas/event.js';

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
  access: onJob('read'),
  query: followQuery,
  headers: followHeaders,
  responses: {
    200: { description: 'Changes as they happen', schema: eventStream, contentType: 'text/event-stream' },
    403: { description: "Another user's job" },
    404: { description: 'No such job' },
    429: { description: 'The user has too many of these streams open' },
  },
  handle: async (request, services) => {
    const afterId = request.headers['Last-Event-ID'];
    const gone = request.call.signal ?? new AbortController().signal;
    const { job_id: jobId } = request.query;
    const ownerId = jobId === undefined ? request.session.userId : await ownerOf(jobId, request, services);
    const isAllowed = () => services.isSessionAlive(request.session); // a client that has refreshed its token comes again
    const end = services.eventStreams.open(request.session.userId, isAllowed, gone);
    if (jobId !== undefined && ownerId !== request.session.userId) watchAccess(jobId, request, services, end);
    const all = services.jobEvents.follow(ownerId, afterId, end.signal);
    const events = jobId === undefined ? all : only(jobId, all);
    const first = await events.next(); // an error shows here, before the answer has begun
    if (first.done) throw answerInvalid('a stream of events did not begin');
    const head = `retry: ${RETRY_MAX_MS}\n${toText(first.value)}`;
    return { kind: 'events', status: 200, head, events, toText, end: end.signal };
  },
});

type FollowRequest = RouteRequest<'session', { readonly job_id?: string | undefined }>;

/** Whose job it is, by what jobs knows of the user's access now. @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER */
async function ownerOf(jobId: string, { session, call }: FollowRequest, services: RouteServices): Promise<bigint> {
  const { userId } = session;
  const userGroups = (await services.userGroups.find(userId)) ?? new Map<string, string>();
  const asked = { resource: toResource('job', jobId), action: ACCESS_ACTIONS.read, linkToken: '' };
  const context = { requestId: newId(), ...currentContext(), userId, userGroups };
  const { ownerId } = await withContext(context, () => services.jobs.getAccess(asked, call));
  return ownerId;
}

/** How often access to a job of others is looked at while a stream of it is open, milliseconds. */
const ACCESS_CHECK_MS = 2_000;
const TAKEN_BACK = ['JOB_OF_ANOTHER_USER', 'JOB_NOT_FOUND', 'ACCESS_INSUFFICIENT'] as const;

/** Ends a stream whose user may not see the job any more. While jobs cannot be asked, it has nothing to tell, either. */
function watchAccess(jobId: string, request: FollowRequest, services: RouteServices, end: AbortController): void {
  const check = setInterval(() => {
    ownerOf(jobId, request, services).catch((err: unknown) => {
      if (TAKEN_BACK.some((reason) => hasReason(err, reason))) end.abort();
    });
  }, ACCESS_CHECK_MS);
  end.signal.addEventListener('abort', () => clearInterval(check), { once: true });
}

/** What happens to one job. */
async function* only(jobId: string, events: AsyncGenerator<EventPart>): AsyncGenerator<EventPart> {
  for await (const part of events) if (part.$case === 'opened' || part.value.jobId === jobId) yield part;
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
