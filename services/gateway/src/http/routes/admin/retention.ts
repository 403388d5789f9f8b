import { jobs, type jobsOperator, type results } from '@tally/contracts';
import type { z } from 'zod';
import { answer } from '../../answer/answer.js';
import { retained, state, toTimestamp } from '../../mappers.js';
import { retentionAction, retentionQuery, retentionResponse } from '../../schemas/admin/retention.js';
import { messageResponse } from '../../schemas/message.js';
import { defineOperatorRoute, describeQuery } from './define-operator-route.js';
import { findUsernames } from './usernames.js';

type Rule = z.output<typeof retentionAction>['rules'][number];

const toProtoRule = ({ data, state: end, after_days: afterDays }: Rule): jobsOperator.RetentionRule => ({
  data: retained.toProto(data),
  state: end === 'any' ? jobs.State.STATE_UNSPECIFIED : state.toProto(end),
  afterDays,
});

function toRule({ data, state: end, afterDays: after_days }: jobsOperator.RetentionRule): Rule {
  const name = end === jobs.State.STATE_UNSPECIFIED ? 'any' : state.toName(end);
  return { data: retained.toName(data), state: name as Rule['state'], after_days };
}

const ruleWords = (rules: readonly Rule[]) =>
  rules.map(({ data, state: end, after_days }) => `${data}:${end}:${after_days}`).join(',');

/** GET /admin/retention */
export const getRetention = defineOperatorRoute({
  method: 'GET',
  path: '/admin/retention',
  action: 'retention.look',
  summary: 'Rules of retention, and what they remove when',
  description:
    'With `rules`: what those would remove, were they set now. Favourites and jobs with the tag `keep` are under no rule. Nothing is changed.',
  query: retentionQuery,
  responses: { 200: { description: 'What goes', schema: retentionResponse } },
  targetOf: ({ query: { rules, ...rest } }) =>
    describeQuery({ rules: rules === undefined ? undefined : ruleWords(rules), ...rest }),
  handle: async ({ query: { rules, warning_days: warningDays, days }, call }, services) => {
    const retention = rules === undefined ? undefined : { rules: rules.map(toProtoRule), warningDays };
    const found = await services.jobsOperator.getRetention({ retention, days }, call);
    const jobIds = [...new Set(found.removals.map(({ jobId }) => jobId))];
    const stored = jobIds.length === 0 ? { jobs: [] } : await services.results.listJobBytes({ jobIds }, call);
    const sizes = new Map(stored.jobs.map((one) => [one.jobId, one]));
    const owners = found.removals.map(({ ownerId }) => ownerId);
    const names = await findUsernames(services, owners, call);
    const removals = found.removals.map(({ jobId, title, state: end, ownerId, data, removeTime }) => ({
      job_id: jobId,
      title,
      job_state: state.toName(end),
      user_id: Number(ownerId),
      username: names.get(ownerId) ?? '',
      data: retained.toName(data),
      remove_at: toTimestamp(removeTime, 'remove_time'),
      bytes: bytesOf(sizes.get(jobId), retained.toName(data)),
    }));
    return answer({
      message: 'Retention',
      rules: (found.retention?.rules ?? []).map(toRule),
      warning_days: found.retention?.warningDays ?? warningDays,
      set_at: found.setTime?.toISOString() ?? null,
      sums: found.sums.flatMap(({ rule, jobCount, ownerCount, firstTime }) =>
        rule === undefined
          ? []
          : [{ ...toRule(rule), jobs: jobCount, users: ownerCount, first_at: toTimestamp(firstTime, 'first_time') }],
      ),
      removals,
      bytes: removals.reduce((sum, { bytes }) => sum + bytes, 0),
    });
  },
});

function bytesOf(stored: results.JobBytes | undefined, data: 'jobs' | 'results' | 'logs'): number {
  if (stored === undefined) return 0;
  const { inputBytes, resultsBytes, logsBytes } = stored;
  if (data === 'results') return Number(resultsBytes);
  return Number(data === 'logs' ? logsBytes : inputBytes + resultsBytes + logsBytes);
}

/** PUT /admin/retention */
export const setRetention = defineOperatorRoute({
  method: 'PUT',
  path: '/admin/retention',
  action: 'retention.set',
  summary: 'Set the rules of retention',
  description:
    'In place of the earlier ones. From the change on nothing is removed for `warning_days`; owners see in their lists what goes when, and ' +
    'are told by mail where there is a mail server. What is removed is in the trail.',
  body: retentionAction,
  responses: { 200: { description: 'They hold', schema: messageResponse } },
  targetOf: ({ body: { rules, warning_days } }) => `rules=${ruleWords(rules)} warning_days=${warning_days}`,
  handle: async ({ body: { rules, warning_days: warningDays }, call }, services) => {
    await services.jobsOperator.updateRetention({ retention: { rules: rules.map(toProtoRule), warningDays } }, call);
    return answer({ message: rules.length === 0 ? 'Nothing is removed by rules' : 'The rules hold' });
  },
});
