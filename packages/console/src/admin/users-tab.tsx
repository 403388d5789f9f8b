import { Alert, Badge, Button, Menu, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Output } from '../api/client.js';
import { wholeInstant } from '../format.js';
import { Moment } from '../shell/moment.js';
import { ShownOnce, wholeLink } from '../shell/shown-once.js';
import { ADMIN_TEXTS as T } from '../texts/admin.js';
import { AdminTable } from './admin-table.js';
import { changeQuota, type Quota, quotaOf, quotasQuery } from './quota.js';
import type { Act } from './reason-modal.js';

type User = Output<'GET', '/admin/users'>['users'][number];

interface UsersTabProps {
  readonly onAct: (act: Act) => void;
  /** Shows the jobs of a user. */
  readonly onJobs: (username: string) => void;
}

const COLORS = { active: 'teal', blocked: 'orange', deleted: 'red' } as const;

/** Users, and what can be done with each. */
export function UsersTab({ onAct, onJobs }: UsersTabProps) {
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const users = useQuery({
    queryKey: ['admin', 'users', search],
    queryFn: () => call('GET', '/admin/users', { query: { search, page_size: 200 } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const quotas = useQuery(quotasQuery).data?.quotas;
  return (
    <AdminTable
      label={T.tabs.users}
      columns={T.user.columns}
      source={users}
      rows={(users.data?.users ?? []).map((user) => ({
        key: String(user.user_id),
        cells: [
          <Name key="name" user={user} />,
          <Badge key="state" color={COLORS[user.state]} variant="light" tt="none" autoContrast>
            {T.user.states[user.state]}
          </Badge>,
          user.sessions,
          user.tokens,
          user.last_login_at === null ? T.user.never : <Moment key="login" at={user.last_login_at} />,
          <Actions key="actions" user={user} quotas={quotas} onAct={onAct} onJobs={onJobs} />,
        ],
      }))}
    >
      <TextInput
        label={T.find.user}
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
        onKeyDown={(e) => (e.key === 'Enter' ? setSearch(typed.trim()) : undefined)}
      />
      <Button onClick={() => setSearch(typed.trim())}>{T.search}</Button>
    </AdminTable>
  );
}

function Name({ user }: { readonly user: User }) {
  const notes = [
    user.display_name,
    ...(user.source === 'sso' ? [T.user.sso] : []),
    ...(user.operator ? [T.user.operator] : []),
  ];
  return (
    <div>
      <Text size="sm" fw={600}>
        {user.username}
      </Text>
      <Text size="xs" c="dimmed">
        {notes.filter((note) => note !== '').join(', ')}
      </Text>
    </div>
  );
}

interface ActionsProps extends UsersTabProps {
  readonly user: User;
  /** Undefined: they are not known yet. */
  readonly quotas: readonly Quota[] | undefined;
}

function Actions({ user, quotas, onAct, onJobs }: ActionsProps) {
  const { user_id, username, state } = user;
  const act = (title: string, run: Act['run'], more: Partial<Act> = {}) => (
    <Menu.Item onClick={() => onAct({ title, target: username, run, ...more })}>{title}</Menu.Item>
  );
  const block = (blocked: boolean) => (reason: string) =>
    call('POST', '/admin/users/block', { body: { user_id, blocked, reason } });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="light" aria-label={`${T.user.actions}: ${username}`}>
          {T.user.actions}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onJobs(username)}>{T.user.jobs}</Menu.Item>
        {state !== 'deleted' && quotas !== undefined && (
          <Menu.Item onClick={() => onAct(changeQuota(user_id, username, quotaOf(quotas, user_id)))}>
            {T.quota.change}
          </Menu.Item>
        )}
        {state === 'active' && !user.operator && act(T.user.block, block(true))}
        {state === 'blocked' && act(T.user.unblock, block(false))}
        {act(T.user.endSessions, (reason) => call('POST', '/admin/users/end-sessions', { body: { user_id, reason } }))}
        {user.source === 'local' &&
          state !== 'deleted' &&
          act(T.user.reset, (reason) => call('POST', '/admin/users/reset', { body: { user_id, reason } }), {
            show: (made) => <Link made={made as Output<'POST', '/admin/users/reset'>} />,
          })}
        {!user.operator &&
          act(T.user.remove, (reason) => call('POST', '/admin/users/delete', { body: { user_id, reason } }), {
            warning: T.user.removeWarning,
          })}
        {!user.operator &&
          act(T.user.handOver, (reason, name) => handOver(user_id, name, reason), {
            warning: T.user.handOverWarning,
            sentence: T.user.newOwner,
            show: (given) => <HandedOver given={given as Output<'POST', '/admin/users/delete'>} />,
          })}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A link that is shown once. */
export function Link({ made }: { readonly made: { readonly link: string; readonly expires_at: string } }) {
  return (
    <ShownOnce title={T.user.link} text={wholeLink(made.link)}>
      <Text size="sm" mt="xs">
        {T.user.linkUntil(wholeInstant(made.expires_at))}
      </Text>
    </ShownOnce>
  );
}

/** Deletes a user, and gives what he has to the one with this name. */
async function handOver(user_id: number, name: string, reason: string) {
  const wanted = name.trim();
  const { users } = await call('GET', '/admin/users', { query: { search: wanted, state: 'active', page_size: 1_000 } });
  const found = users.filter(({ username }) => username === wanted);
  const [newOwner] = found;
  if (newOwner === undefined || found.length > 1) throw new Error(T.user.notOne(wanted, found.length));
  return call('POST', '/admin/users/delete', { body: { user_id, new_owner_id: newOwner.user_id, reason } });
}

/** What is given to whom, and which quotas he is above then. */
function HandedOver({ given }: { readonly given: Output<'POST', '/admin/users/delete'> }) {
  const { new_owner: owner, jobs, projects } = given;
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{T.user.given(owner?.username ?? '', jobs, projects)}</Text>
      {owner?.exceeded_quotas.map(({ name, limit, used }) => (
        <Alert key={name} color="orange" variant="light">
          {T.user.exceeded(owner.username, name, used, limit)}
        </Alert>
      ))}
    </Stack>
  );
}
