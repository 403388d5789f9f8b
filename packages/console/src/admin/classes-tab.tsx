import {
  Alert,
  Button,
  Card,
  Code,
  Group,
  Select,
  Stack,
  Table,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, type Output } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import { instant } from '../format.js';
import { CopyButton } from '../shell/copy-button.js';
import { Moment } from '../shell/moment.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { wholeLink } from '../shell/shown-once.js';
import { ADMIN_TEXTS as T } from '../texts/admin.js';
import type { Act } from './reason-modal.js';
import { Link } from './users-tab.js';

type Made = Output<'POST', '/admin/classes'>;
type ListedClass = Output<'GET', '/admin/classes'>['classes'][number];
interface TabProps {
  readonly onAct: (act: Act) => void;
}

/** Classes: makes one, and shows who has joined. */
export function ClassesTab({ onAct }: TabProps) {
  const classes = useQuery({
    queryKey: ['admin', 'classes'],
    queryFn: () => call('GET', '/admin/classes'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Stack my="md">
      <NewClass />
      {classes.isError && <ProblemNotice error={classes.error} />}
      {classes.data?.classes.map((one) => (
        <ClassCard key={one.class_id} one={one} onAct={onAct} />
      ))}
    </Stack>
  );
}

function NewClass() {
  const [name, setName] = useState('');
  const [names, setNames] = useState('');
  const [day, setDay] = useState('');
  const [atEnd, setAtEnd] = useState<'block' | 'delete'>('block');
  const make = useMutation({
    mutationFn: () =>
      call('POST', '/admin/classes', {
        body: {
          name,
          usernames: names.split('\n').flatMap((line) => (line.trim() === '' ? [] : line.trim())),
          ends_at: new Date(`${day}T23:59:59`).toISOString(),
          at_end: atEnd,
          reason: name,
        },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['admin', 'classes'] }),
  });
  if (make.data !== undefined) return <Invitations made={make.data} onDone={() => make.reset()} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Card withBorder>
      <form onSubmit={submit}>
        <Stack>
          <Group align="flex-start" grow>
            <Stack>
              <TextInput
                label={T.class.name}
                required
                maxLength={100}
                value={name}
                onChange={(e) => setName(e.currentTarget.value)}
              />
              <TextInput
                type="date"
                label={T.class.ends}
                required
                value={day}
                onChange={(e) => setDay(e.currentTarget.value)}
              />
              <Select
                label={T.class.atEnd}
                allowDeselect={false}
                data={Object.entries(T.class.atEnds).map(([value, label]) => ({ value, label }))}
                value={atEnd}
                onChange={(value) => setAtEnd(value === 'delete' ? 'delete' : 'block')}
              />
            </Stack>
            <Textarea
              label={T.class.usernames}
              required
              autosize
              minRows={8}
              maxRows={16}
              value={names}
              onChange={(e) => setNames(e.currentTarget.value)}
            />
          </Group>
          {atEnd === 'delete' && (
            <Alert color="orange" variant="light">
              {T.class.warning}
            </Alert>
          )}
          {make.isError && <ProblemNotice error={make.error} />}
          <Group>
            <Button type="submit" loading={make.isPending}>
              {T.class.make}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

/** Links that are shown once. */
function Invitations({ made, onDone }: { readonly made: Made; readonly onDone: () => void }) {
  const lines = made.invitations.map(({ username, link }) => ({
    username,
    link: wholeLink(link),
  }));
  return (
    <Alert color="teal" variant="light" title={T.class.once} role="status">
      <Table>
        <Table.Tbody>
          {lines.map(({ username, link }) => (
            <Table.Tr key={username}>
              <Table.Td>{username}</Table.Td>
              <Table.Td>
                <Code style={{ overflowWrap: 'anywhere' }}>{link}</Code>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group mt="sm">
        <CopyButton text={lines.map(({ username, link }) => `${username}\t${link}`).join('\n')} label={T.class.copy} />
        <Button variant="default" onClick={onDone}>
          {T.class.done}
        </Button>
      </Group>
    </Alert>
  );
}

function ClassCard({ one, onAct }: TabProps & { readonly one: ListedClass }) {
  const joined = one.students.filter(({ last_login_at }) => last_login_at !== null).length;
  const another = (user_id: number, username: string) =>
    onAct({
      title: T.class.another,
      target: username,
      run: (reason) => call('POST', '/admin/users/reset', { body: { user_id, reason } }),
      show: (link) => <Link made={link as Output<'POST', '/admin/users/reset'>} />,
    });
  return (
    <Card withBorder>
      <Title order={2} size="h5">
        {one.name}
      </Title>
      <Text size="sm" c="dimmed">
        {[
          one.ended ? T.class.isOver : T.class.until(instant(one.ends_at)),
          T.class.atEnds[one.at_end],
          T.class.joined(joined, one.students.length),
        ].join('; ')}
      </Text>
      <Table aria-label={one.name} mt="sm">
        <Table.Thead>
          <Table.Tr>
            {T.class.columns.map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {one.students.map(({ user_id, username, state, last_login_at }) => (
            <Table.Tr key={user_id}>
              <Table.Td>{username}</Table.Td>
              <Table.Td>{T.user.states[state]}</Table.Td>
              <Table.Td>{last_login_at === null ? T.class.notYet : <Moment at={last_login_at} />}</Table.Td>
              <Table.Td>
                {state === 'active' && (
                  <Button size="compact-sm" variant="light" onClick={() => another(user_id, username)}>
                    {T.class.another}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
