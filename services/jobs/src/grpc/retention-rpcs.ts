import { jobs, type jobsOperator, nameOf, RETAINED_DATA } from '@tally/contracts';
import { actingUser, type Routes } from '@tally/service-kit';
import { fail, invalidField } from '../domain/errors.js';
import { requireOwn } from '../domain/owned.js';
import type { JobStore } from '../domain/ports.js';
import type { RemoveDuePorts } from '../domain/retention/remove-due.js';
import {
  AFTER_DAYS_MAX,
  checkRetention,
  RETENTION_STATES,
  type Retention,
  type RetentionRule,
  type RetentionState,
} from '../domain/retention/retention.js';
import type { Removal, RetentionStore } from '../domain/retention/retention-ports.js';
import { readJobId, readState, toProtoState } from './mappers.js';

export interface RetentionPorts {
  readonly retention: RetentionStore;
  readonly jobs: Pick<JobStore, 'explainMiss'>;
  /** Undefined: nothing can be removed by rules. */
  readonly noteRemoval: RemoveDuePorts['noteRemoval'];
}

type Rules = Omit<Retention, 'setAt'>;

const REMOVALS_MAX = 1_000;
const DAYS_MAX = 3_650;

/** What users are told of rules of retention. */
export const removalRpcs = ({ retention, jobs: store }: RetentionPorts) =>
  ({
    listRemovals: {
      callers: ['gateway'],
      handle: async ({ jobId: asked }) => {
        const ownerId = actingUser();
        if (asked === '') {
          const { warningDays: withinDays } = await retention.readRetention();
          const removals = await retention.listRemovals({ ownerId, withinDays, limit: REMOVALS_MAX });
          return { removals: removals.map(toProtoRemoval), resultsRemoveTime: undefined, logsRemoveTime: undefined };
        }
        const jobId = readJobId(asked);
        const removed = await retention.findRemoved(jobId, ownerId);
        if (removed === undefined) {
          return requireOwn<never>({ kind: await store.explainMiss({ jobId, ownerId, platform: undefined }) });
        }
        const query = { ownerId, jobId, withinDays: AFTER_DAYS_MAX, limit: REMOVALS_MAX };
        return {
          removals: (await retention.listRemovals(query)).map(toProtoRemoval),
          resultsRemoveTime: removed.resultsAt ?? undefined,
          logsRemoveTime: removed.logsAt ?? undefined,
        };
      },
      isQuiet: true,
    },
  }) satisfies Partial<Routes<typeof jobs.JobsServiceService>>;

/** What operators ask of the rules. @throws ServiceError REQUEST_INVALID */
export async function getRetention(
  { retention }: RetentionPorts,
  { retention: wanted, days }: jobsOperator.GetRetentionRequest,
): Promise<jobsOperator.GetRetentionResponse> {
  if (days < 0 || days > DAYS_MAX) throw invalidField('/days', `must be 0 to ${DAYS_MAX}`);
  const asked = wanted && readRules(wanted);
  const shown = asked === undefined ? await retention.readRetention() : { ...asked, setAt: null };
  const query = { retention: asked, withinDays: days };
  const [sums, removals] = await Promise.all([
    retention.sumRemovals(query),
    retention.listRemovals({ ...query, limit: REMOVALS_MAX }),
  ]);
  return {
    retention: toProtoRules(shown),
    setTime: shown.setAt ?? undefined,
    sums: sums.map(({ jobCount, ownerCount, firstDueAt, ...rule }) => {
      return { rule: toProtoRule(rule), jobCount, ownerCount, firstTime: firstDueAt };
    }),
    removals: removals.map(toProtoRemoval),
  };
}

/** @throws ServiceError REQUEST_INVALID, RETENTION_UNAVAILABLE */
export async function setRetention(
  { retention, noteRemoval }: RetentionPorts,
  { retention: wanted }: jobsOperator.UpdateRetentionRequest,
): Promise<jobsOperator.UpdateRetentionResponse> {
  const rules = readRules(wanted ?? { rules: [], warningDays: 0 });
  if (noteRemoval === undefined && rules.rules.length > 0) throw fail('RETENTION_UNAVAILABLE');
  await retention.setRetention(rules);
  return {};
}

/** @throws ServiceError REQUEST_INVALID */
function readRules({ rules: given, warningDays }: jobsOperator.Retention): Rules {
  const rules = given.map(({ data: asked, state, afterDays }, i): RetentionRule => {
    const data = nameOf(RETAINED_DATA, asked);
    if (data === undefined) throw invalidField(`/rules/${i}/data`, 'must be jobs, results or logs');
    return { data, state: readEnd(state, i), afterDays };
  });
  checkRetention({ rules, warningDays });
  return { rules, warningDays };
}

function readEnd(state: jobs.State, i: number): RetentionState {
  if (state === jobs.State.STATE_UNSPECIFIED) return 'any';
  const name = readState(state);
  const end = RETENTION_STATES.find((one) => one === name);
  if (end === undefined) throw invalidField(`/rules/${i}/state`, 'must be one of COMPLETED, FAILED, CANCELED');
  return end;
}

const toProtoRule = ({ data, state, afterDays }: RetentionRule): jobsOperator.RetentionRule => ({
  data: RETAINED_DATA[data],
  state: state === 'any' ? jobs.State.STATE_UNSPECIFIED : toProtoState(state),
  afterDays,
});

const toProtoRules = ({ rules, warningDays }: Rules): jobsOperator.Retention => ({
  rules: rules.map(toProtoRule),
  warningDays,
});

const toProtoRemoval = ({ jobId, data, dueAt, ownerId, title, state }: Removal): jobs.RetentionRemoval => ({
  jobId,
  data: RETAINED_DATA[data],
  removeTime: dueAt,
  ownerId,
  title,
  state: toProtoState(state),
});
