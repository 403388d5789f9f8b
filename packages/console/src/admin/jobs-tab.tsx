import { Button, Menu, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Output } from '../api/client.js';
import { isFinal } from '../api/queries.js';
import { Moment } from '../shell/moment.js';
import { StateBadge } from '../shell/state-badge.js';
import { ADMIN_TEXTS as T } from '../texts/admin.js';
import { AdminTable } from './admin-table.js';
import type { Act } from './reason-modal.js';

type Job = Output<'GET', '/admin/jobs'>['jobs'][number];
type Filter = {
  readonly user: string;
  readonly job_id: string;
  readonly request_id: string;
  readonly runner_id: string;
};

const NO_FILTER: Filter = { user: '', job_id: '', request_id: '', runner_id: '' };
const FIELDS = [
  ['user', T.find.user],
  ['job_id', T.find.jobId],
  ['request_id', T.find.requestId],
  ['runner_id', T.find.runner],
] as const;

/** Jobs of all users, and what can be done with each. */
export function JobsTab({ user, onAct }: { readonly user: string; readonly onAct: (act: Act) => void }) {
  const [typed, setTyped] = useState<Filter>({ ...NO_FILTER, user });
  const [asked, setAsked] = useState({ filter: typed, state: user === '' ? 'open' : '' });
  const jobs = useQuery({
    queryKey: ['admin', 'jobs', asked],
    queryFn: () => call('GET', '/admin/jobs', { query: { ...asked.filter, job_state: asked.state } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const ask = (state: string) => setAsked({ filter: typed, state });
  return (
    <AdminTable
      label={T.tabs.jobs}
      columns={[...T.job.columns, '']}
      source={jobs}
      rows={(jobs.data?.jobs ?? []).map((job) => ({ key: job.job_id, cells: cellsOf(job, onAct) }))}
    >
      {FIELDS.map(([name, label]) => (
        <TextInput
          key={name}
          w={150}
          label={label}
          value={typed[name]}
          onChange={(e) => setTyped({ ...typed, [name]: e.currentTarget.value.trim() })}
          onKeyDown={(e) => (e.key === 'Enter' ? ask(asked.state) : undefined)}
        />
      ))}
      <Select
        w={150}
        label={T.find.state}
        allowDeselect={false}
        data={[
          { value: 'open', label: T.find.open },
          { value: 'FAILED', label: T.find.failed },
          { value: '', label: T.find.any },
        ]}
        value={asked.state}
        onChange={(state) => ask(state ?? '')}
      />
      <Button onClick={() => ask(asked.state)}>{T.search}</Button>
    </AdminTable>
  );
}

function cellsOf(job: Job, onAct: (act: Act) => void) {
  const { job_id, title, username, job_state, tasks } = job;
  return [
    <div key="job">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="xs" c="dimmed">
        {job_id}
      </Text>
      <Text size="xs" c="dimmed">
        <Moment at={job.start_time} />
        {job.request_id === undefined ? '' : `, ${T.job.request} ${job.request_id}`}
      </Text>
    </div>,
    username,
    <StateBadge key="state" state={job_state} />,
    <div key="runs">
      {tasks.running}
      {job.runner_ids.map((id) => (
        <Text key={id} size="xs" c="dimmed">
          {id}
        </Text>
      ))}
      {job.cluster_name !== undefined && (
        <Text size="xs" c="dimmed">
          {job.cluster_name}
        </Text>
      )}
    </div>,
    tasks.pending,
    tasks.failed,
    job.failure ?? job.waiting_reason ?? '',
    <Actions key="actions" job={job} onAct={onAct} />,
  ];
}

function Actions({ job, onAct }: { readonly job: Job; readonly onAct: (act: Act) => void }) {
  const { job_id, title, job_state } = job;
  const target = `${title} (${job_id})`;
  const isOpen = !isFinal(job_state);
  const offer = (
    label: string,
    path: '/admin/jobs/cancel' | '/admin/jobs/fail' | '/admin/jobs/retry' | '/admin/jobs/merge',
  ) => (
    <Menu.Item
      onClick={() =>
        onAct({
          title: label,
          target,
          ...(path === '/admin/jobs/fail' ? { hint: T.reasonRead } : {}),
          run: (reason) => call('POST', path, { body: { job_id, reason } }),
        })
      }
    >
      {label}
    </Menu.Item>
  );
  const isRetryable = job_state === 'FAILED' && job.platform === 'direct';
  if (!isOpen && job_state === 'CANCELED') return undefined;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="light" aria-label={`${T.job.actions}: ${title}`}>
          {T.job.actions}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isOpen && offer(T.job.cancel, '/admin/jobs/cancel')}
        {isOpen && offer(T.job.fail, '/admin/jobs/fail')}
        {isRetryable && offer(T.job.retry, '/admin/jobs/retry')}
        {!isOpen && offer(T.job.merge, '/admin/jobs/merge')}
      </Menu.Dropdown>
    </Menu>
  );
}
