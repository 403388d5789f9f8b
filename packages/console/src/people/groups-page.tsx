import {
  Badge,
  Box,
  Button,
  Card,
  Container,
  Group,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.js';
import { queryClient, userQuery } from '../api/queries.js';
import { personName } from '../format.js';
import { ChannelChoice } from '../notify/channel-choice.js';
import { ConfirmButton } from '../shell/confirm-button.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { NOTIFY_TEXTS } from '../texts/notify.js';
import { PEOPLE_TEXTS as T } from '../texts/people.js';
import { type Group as GroupOf, groupsQuery, membersQuery } from './queries.js';

const ROLES = ['viewer', 'member', 'manager'] as const;
type Role = (typeof ROLES)[number];
const ROLE_CHOICES = ROLES.map((value) => ({ value, label: T.roles[value] }));
const readRole = (text: string | null): Role => ROLES.find((role) => role === text) ?? 'viewer';
const refresh = () => queryClient.invalidateQueries({ queryKey: ['groups'] });

/** The user's groups, and who is in them. */
export function GroupsPage() {
  usePageTitle(T.groups);
  const groups = useQuery(groupsQuery);
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => call('POST', '/groups', { body: { name } }),
    onSuccess: async () => {
      setName('');
      await refresh();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Container size="md" py="lg">
      <Stack>
        <div>
          <Title order={1} size="h2">
            {T.groups}
          </Title>
          <Text size="sm" c="dimmed">
            {T.groupsLead}
          </Text>
        </div>
        <form onSubmit={submit}>
          <Group>
            <TextInput
              flex="1 1 220px"
              aria-label={T.newGroup}
              placeholder={T.newGroup}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" disabled={name.trim() === ''} loading={create.isPending}>
              {T.create}
            </Button>
          </Group>
        </form>
        {create.isError && <ProblemNotice error={create.error} />}
        {groups.isPending && <Skeleton h={160} />}
        {groups.isError && <ProblemNotice error={groups.error} onRetry={() => void groups.refetch()} />}
        {groups.data?.groups.length === 0 && <Text c="dimmed">{T.noGroups}</Text>}
        {groups.data?.groups.map((group) => (
          <GroupCard key={group.group_id} group={group} />
        ))}
      </Stack>
    </Container>
  );
}

function GroupCard({ group }: { readonly group: GroupOf }) {
  const { group_id: groupId, name, role, of_realm: isOfRealm } = group;
  const query = { group_id: groupId };
  const isManager = role === 'manager' && !isOfRealm;
  const act = useMutation({ mutationFn: (work: () => Promise<unknown>) => work(), onSettled: refresh });
  return (
    <Card withBorder component="section" aria-label={name}>
      <Group justify="space-between">
        <Group gap="xs">
          <Title order={2} size="h4">
            {name}
          </Title>
          <Badge variant="light">{T.roles[role]}</Badge>
          <Text size="xs" c="dimmed">
            {T.members(group.member_count)}
          </Text>
        </Group>
        {!isOfRealm && (
          <Group gap="xs">
            <ConfirmButton
              variant="default"
              size="compact-sm"
              label={T.leave}
              question={T.leaveSure}
              answer={T.leave}
              onConfirm={() => act.mutate(() => call('DELETE', '/groups/members', { query }))}
            />
            {isManager && (
              <ConfirmButton
                variant="default"
                size="compact-sm"
                label={T.deleteGroup}
                question={T.deleteSure(name)}
                answer={T.deleteGroup}
                onConfirm={() => act.mutate(() => call('DELETE', '/groups', { query }))}
              />
            )}
          </Group>
        )}
      </Group>
      <Text size="xs" c="dimmed" mb="sm">
        {isOfRealm ? T.ofRealm : T.roleHint}
      </Text>
      {act.isError && <ProblemNotice error={act.error} />}
      <Members groupId={groupId} isManager={isManager} onAct={(work) => act.mutate(work)} />
      {isManager && <AddMember groupId={groupId} />}
      <Box mt="md">
        <ChannelChoice scope="group" target={groupId} words={NOTIFY_TEXTS.ofGroup} />
      </Box>
    </Card>
  );
}

interface MembersProps {
  readonly groupId: string;
  readonly isManager: boolean;
  readonly onAct: (work: () => Promise<unknown>) => void;
}

function Members({ groupId, isManager, onAct }: MembersProps) {
  const members = useQuery(membersQuery(groupId));
  const user = useQuery(userQuery);
  if (members.isError) return <ProblemNotice error={members.error} onRetry={() => void members.refetch()} />;
  return members.data?.members.map((member) => (
    <Group key={member.user_id} justify="space-between" py={4} wrap="nowrap" data-member={member.username}>
      <Text size="sm">
        {personName(member)}
        {member.display_name !== '' && (
          <Text span size="xs" c="dimmed">
            {` ${member.username}`}
          </Text>
        )}
      </Text>
      {isManager ? (
        <Group gap="xs" wrap="nowrap">
          <Select
            w={130}
            size="xs"
            aria-label={T.roleOf(member.username)}
            allowDeselect={false}
            data={ROLE_CHOICES}
            value={member.role}
            onChange={(role) =>
              onAct(() =>
                call('PUT', '/groups/members', {
                  body: { group_id: groupId, user_id: member.user_id, role: readRole(role) },
                }),
              )
            }
          />
          {member.username !== user.data?.username && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={T.removeFrom(member.username)}
              onClick={() =>
                onAct(() =>
                  call('DELETE', '/groups/members', { query: { group_id: groupId, user_id: member.user_id } }),
                )
              }
            >
              {T.remove}
            </Button>
          )}
        </Group>
      ) : (
        <Text size="xs" c="dimmed">
          {T.roles[member.role]}
        </Text>
      )}
    </Group>
  ));
}

function AddMember({ groupId }: { readonly groupId: string }) {
  const [username, setUsername] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const add = useMutation({
    mutationFn: () => call('POST', '/groups/members', { body: { group_id: groupId, username, role } }),
    onSuccess: async () => {
      setUsername('');
      await refresh();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Group mt="sm">
        <TextInput
          flex="1 1 180px"
          size="xs"
          aria-label={T.addPeople}
          placeholder={T.addPeopleHint}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <Select
          w={130}
          size="xs"
          aria-label={T.roleHint}
          allowDeselect={false}
          data={ROLE_CHOICES}
          value={role}
          onChange={(value) => setRole(readRole(value))}
        />
        <Button type="submit" size="xs" disabled={username.trim() === ''} loading={add.isPending}>
          {T.addMember}
        </Button>
      </Group>
      {add.isError && <ProblemNotice error={add.error} />}
    </form>
  );
}
