import { type jobs, jobsOperator } from '@tally/contracts';
import { actingInRole, actingUser, type Implementation, implement, type Routes } from '@tally/service-kit';
import type { SharePorts } from '../domain/access/change-shares.js';
import { decideCancel } from '../domain/cancel-job.js';
import { fail, invalidField } from '../domain/errors.js';
import { failJob, readSentence } from '../domain/operate/fail-job.js';
import { type HandOverPorts, handOver } from '../domain/operate/hand-over.js';
import { listStudents, type Student, type StudentStore } from '../domain/operate/list-students.js';
import { mergeJobAgain } from '../domain/operate/merge-job-again.js';
import {
  type AllJobsQuery,
  type LeavingStore,
  LOAD_KEYS,
  type OperatedJob,
  type OperatorStore,
} from '../domain/operate/operator-ports.js';
import { retryJob } from '../domain/operate/retry-job.js';
import { updateStudents } from '../domain/operate/update-students.js';
import type { StateStore } from '../domain/ports.js';
import { listAllUsage } from '../domain/usage/list-all-usage.js';
import { setQuota } from '../domain/usage/set-quota.js';
import type { QuotaOverride, SubjectQuota, UsageStore, UsageSubject } from '../domain/usage/usage-ports.js';
import {
  readJobId,
  readPlatform,
  readPlatformFilter,
  readRunnerId,
  readState,
  toDuration,
  toProtoJob,
  toProtoPlatform,
  toProtoState,
} from './mappers.js';
import { getRetention, type RetentionPorts, setRetention } from './retention-rpcs.js';

export interface OperatorPorts extends SharePorts, RetentionPorts {
  readonly operator: OperatorStore;
  readonly leaving: LeavingStore;
  readonly states: StateStore;
  readonly usage: Pick<UsageStore, 'listQuotas' | 'putQuota' | 'findQuota' | 'listMonths'>;
  readonly quotas: HandOverPorts['quotas'];
  readonly students: StudentStore;
}

type Service = typeof jobsOperator.JobsOperatorServiceService;
type Method = keyof Service;

const callers = ['gateway'];
const PAGE_SIZE_MAX = 200;

/** What operators may do. Who acts in another role is refused before anything else. */
export function operatorRpcs(ports: OperatorPorts): Implementation {
  const routes: Routes<Service> = {
    ...jobRpcs(ports),
    ...ownerRpcs(ports),
    ...deploymentRpcs(ports),
    ...quotaRpcs(ports),
    ...retentionRpcs(ports),
    ...classRpcs(ports),
  };
  return implement(jobsOperator.JobsOperatorServiceService, routes);
}

/** A row of the table: the only way into it, so that none is without the check. */
const forOperators = <M extends Method>(handle: Routes<Service>[M]['handle']) => forRoles<M>(handle, ['operator']);
/** A row that is for teachers, too. */
const forTeachers = <M extends Method>(handle: Routes<Service>[M]['handle']) =>
  forRoles<M>(handle, ['operator', 'teacher']);

function forRoles<M extends Method>(
  handle: Routes<Service>[M]['handle'],
  roles: readonly string[],
): Routes<Service>[M] {
  const checked = (request: never) => {
    actingInRole(...roles);
    return (handle as (request: never) => unknown)(request);
  };
  return { callers, handle: checked } as unknown as Routes<Service>[M];
}

const jobRpcs = ({ operator, states, retention }: OperatorPorts) => ({
  listAllJobs: forOperators<'listAllJobs'>(async (request) => {
    const found = await operator.listJobs(readQuery(request));
    return { jobs: found.map(toProtoOperatedJob) };
  }),
  listLoads: forOperators<'listLoads'>(async ({ key }) => {
    const loads = await operator.listLoads(readLoadKey(key));
    return { loads: loads.map((load) => ({ ...load, oldestStartTime: load.oldestStartTime ?? undefined })) };
  }),
  cancelAnyJob: forOperators<'cancelAnyJob'>(async (request) => {
    const jobId = readJobId(request.jobId);
    const state = await states.changeJob({ jobId }, 'all', (draft) => decideCancel(draft, jobId));
    if (state === undefined) throw fail('JOB_NOT_FOUND');
    return { state: toProtoState(state) };
  }),
  failAnyJob: forOperators<'failAnyJob'>(async ({ jobId, reason }) => ({
    state: toProtoState(await failJob({ states }, readJobId(jobId), reason)),
  })),
  retryAnyJob: forOperators<'retryAnyJob'>(async ({ jobId }) => {
    const { state, taskCount } = await retryJob({ operator, states, retention }, readJobId(jobId));
    return { state: toProtoState(state), taskCount };
  }),
  mergeAnyJob: forOperators<'mergeAnyJob'>(async ({ jobId }) => ({
    state: toProtoState(await mergeJobAgain({ states, retention }, readJobId(jobId))),
  })),
});

const ownerRpcs = ({ leaving, usage, quotas }: OperatorPorts) => ({
  deleteOwner: forOperators<'deleteOwner'>(async ({ ownerId, dueTime, isKept }) => {
    if (ownerId <= 0n) throw invalidField('/owner_id', 'is not a user');
    await (isKept ? leaving.keepOwners([ownerId]) : leaving.addOwners([ownerId], dueTime));
    return leaving.countBelongings(ownerId);
  }),
  updateOwner: forOperators<'updateOwner'>(async ({ ownerId, newOwnerId }) => {
    const handed = await handOver({ leaving, usage, quotas }, ownerId, newOwnerId);
    const { jobCount, projectCount, excesses, storedBytesMax } = handed;
    const bound = storedBytesMax > 0 ? BigInt(storedBytesMax) : undefined;
    return { jobCount, projectCount, excesses: [...excesses], storedBytesMax: bound };
  }),
});

const deploymentRpcs = ({ operator }: OperatorPorts) => ({
  listRunners: forOperators<'listRunners'>(async () => ({ runners: [...(await operator.listRunners())] })),
  updateRunner: forOperators<'updateRunner'>(async ({ runnerId, isDraining }) => {
    const runningTaskCount = await operator.drainRunner(readRunnerId(runnerId), isDraining);
    if (runningTaskCount === undefined) throw fail('RUNNER_NOT_FOUND');
    return { runningTaskCount };
  }),
  listSubmissionPauses: forOperators<'listSubmissionPauses'>(async () => {
    const pauses = await operator.listPauses();
    return { pauses: pauses.map((pause) => ({ ...pause, platform: toProtoPlatform(pause.platform) })) };
  }),
  updateSubmissionPause: forOperators<'updateSubmissionPause'>(async ({ platform, message }) => {
    const sentence = message === undefined ? undefined : readSentence('/message', message);
    await operator.setPause(readPlatform(platform), sentence);
    return {};
  }),
});

const retentionRpcs = (ports: OperatorPorts) => ({
  getRetention: forOperators<'getRetention'>((request) => getRetention(ports, request)),
  updateRetention: forOperators<'updateRetention'>((request) => setRetention(ports, request)),
});

const quotaRpcs = ({ usage }: OperatorPorts) => ({
  listQuotas: forOperators<'listQuotas'>(async () => ({ quotas: (await usage.listQuotas()).map(toProtoQuota) })),
  updateQuota: forOperators<'updateQuota'>(async ({ quota }) => {
    await setQuota({ usage }, [readSubject(quota)], readBounds(quota));
    return {};
  }),
  listAllUsage: forOperators<'listAllUsage'>(async ({ fromMonth, toMonth }) => {
    const months = await listAllUsage({ usage }, fromMonth, toMonth);
    return { months: months.map(({ cpuMs, ...one }) => ({ ...one, processorTime: toDuration(cpuMs) })) };
  }),
});

const classRpcs = (ports: OperatorPorts) => ({
  updateStudents: forTeachers<'updateStudents'>(async ({ ownerIds, quota, removal, groupId, projectIds }) => {
    await updateStudents(ports, actingUser(), {
      ownerIds,
      quota: quota && readBounds(quota),
      removal: removal && (removal.isKept ? 'never' : { dueAt: removal.dueTime }),
      templates: { groupId: withoutZeros(groupId), projectIds: projectIds.map(withoutZeros) },
    });
    return {};
  }),
  listStudents: forTeachers<'listStudents'>(async ({ ownerIds, groupIds }) => {
    const { students, templates } = await listStudents(ports, ownerIds, groupIds.map(withoutZeros));
    return { students: students.map(toProtoStudent), templates: [...templates] };
  }),
});

function toProtoStudent({ ownerId, jobCount, projectCount, quota }: Student): jobsOperator.Student {
  const bounds = quota && toProtoQuota({ kind: 'user', subjectId: String(ownerId), ...quota });
  return { ownerId, jobCount, projectCount, quota: bounds };
}

const readBounds = (quota: jobsOperator.SubjectQuota | undefined): QuotaOverride => ({
  cpuSecondsMonth: quota?.processorSecondsMonth ?? null,
  storedBytes: quota?.storedBytes === undefined ? null : Number(quota.storedBytes),
  runningTasks: quota?.runningTasks ?? null,
});

/** @throws ServiceError REQUEST_INVALID */
function readSubject(quota: jobsOperator.SubjectQuota | undefined): UsageSubject {
  const { userId = 0n, groupId = '' } = quota ?? {};
  if (userId > 0n === (groupId !== '')) throw invalidField('/user_id', 'is required, or group_id, and not both');
  return userId > 0n ? { kind: 'user', userId } : { kind: 'group', groupId };
}

function toProtoQuota({ kind, subjectId, ...quota }: SubjectQuota): jobsOperator.SubjectQuota {
  return {
    userId: kind === 'user' ? BigInt(subjectId) : 0n,
    groupId: kind === 'group' ? subjectId : '',
    processorSecondsMonth: quota.cpuSecondsMonth ?? undefined,
    storedBytes: quota.storedBytes === null ? undefined : BigInt(quota.storedBytes),
    runningTasks: quota.runningTasks ?? undefined,
  };
}

/** PostgreSQL has no character 0. */
const withoutZeros = (text: string) => text.replaceAll('\0', '\ufffd');
const given = (text: string) => (text === '' ? undefined : withoutZeros(text));

/** @throws ServiceError REQUEST_INVALID */
function readQuery(request: jobsOperator.ListAllJobsRequest): AllJobsQuery {
  const { pageSize, jobId, runnerId } = request;
  if (pageSize < 1 || pageSize > PAGE_SIZE_MAX) throw invalidField('/page_size', `must be 1 to ${PAGE_SIZE_MAX}`);
  return {
    pageSize,
    beforeKey: request.beforeSimulationId,
    ownerId: request.ownerId,
    jobId: jobId === '' ? undefined : readJobId(jobId),
    requestId: given(request.requestId),
    states: request.states.map(readState),
    platform: readPlatformFilter(request.platform),
    clusterName: given(request.clusterName),
    runnerId: runnerId === '' ? undefined : readRunnerId(runnerId),
    groupId: given(request.groupId),
  };
}

/** @throws ServiceError REQUEST_INVALID */
function readLoadKey(key: jobsOperator.LoadKey) {
  const name = LOAD_KEYS[Math.max(key, 1) - 1];
  if (name === undefined) throw invalidField('/by', `must be one of ${LOAD_KEYS.join(', ')}`);
  return name;
}

function toProtoOperatedJob(job: OperatedJob): jobsOperator.OperatedJob {
  const { ownerId, requestId, executable, pendingTaskCount, runningTaskCount, failedTaskCount, runnerIds } = job;
  return {
    job: toProtoJob(job) satisfies jobs.Job,
    ownerId,
    requestId: requestId ?? '',
    executable: executable ?? '',
    pendingTaskCount,
    runningTaskCount,
    failedTaskCount,
    runnerIds: [...runnerIds],
  };
}
