import { Button, Card, Group, Stack, Table, Text, Title, Tooltip } from '@mantine/core';
import { hoursOf, toBounds, toFields } from '../admin/quota-fields.js';
import type { Act } from '../admin/reason-modal.js';
import { call, type Output } from '../api/client.js';
import { instant } from '../format.js';
import { saveFile } from '../results/save.js';
import { Moment } from '../shell/moment.js';
import { ADMIN_TEXTS } from '../texts/admin.js';
import { CLASS_TEXTS as T } from '../texts/classes.js';
import { ClassTemplates } from './class-templates.js';
import { Invitations } from './invitations.js';
import type { ListedClass } from './queries.js';

interface CardProps {
  readonly one: ListedClass;
  readonly onAct: (act: Act) => void;
}

/** A class: what it is, what its teacher does with it, and its students. */
export function ClassCard({ one, onAct }: CardProps) {
  const joined = one.students.filter(({ last_login_at }) => last_login_at !== null).length;
  return (
    <Card withBorder data-class={one.class_id}>
      <Stack gap="xs">
        <div>
          <Title order={2} size="h5">
            {one.name}
          </Title>
          <Text size="sm" c="dimmed">
            {[
              one.ended ? T.isOver : T.until(instant(one.ends_at)),
              T.atEnds[one.at_end],
              T.joined(joined, one.students.length),
              ...(one.teacher === '' ? [] : [T.by(one.teacher)]),
            ].join('; ')}
          </Text>
          <Text size="sm" c="dimmed">
            {quotaText(one)}
          </Text>
        </div>
        {!one.ended && <ClassTemplates one={one} />}
        <Actions one={one} onAct={onAct} />
        <Students one={one} onAct={onAct} />
      </Stack>
    </Card>
  );
}

/** What each student may use, where it is the same. */
function quotaText({ students }: ListedClass): string {
  const quotas = students.map(({ quota }) => ({
    hours: T.hoursOf(hoursOf(quota.processor_seconds_month)),
    tasks: T.tasksOf(quota.running_tasks),
  }));
  const [first] = quotas;
  if (first === undefined) return '';
  const isOne = quotas.every(({ hours, tasks }) => hours === first.hours && tasks === first.tasks);
  return isOne ? T.quotaOfEach(first.hours, first.tasks) : T.quotasDiffer;
}

type Links = Output<'POST', '/admin/classes/invitations'>;

/** New links, of one student or of all who have not joined. */
const invite = (one: ListedClass, title: string, student?: ListedClass['students'][number]): Act => ({
  title,
  target: student?.username ?? one.name,
  run: (reason) =>
    call('POST', '/admin/classes/invitations', {
      body: { class_id: one.class_id, reason, ...(student === undefined ? {} : { user_id: student.user_id }) },
    }),
  show: (made) => <Invitations invitations={(made as Links).invitations} />,
});

/** Of each student. */
const changeQuota = ({ class_id, name, students }: ListedClass): Act => ({
  title: T.quota,
  target: T.eachOf(name),
  quota: toFields(students[0]?.quota),
  run: (reason, _, quota) => call('PUT', '/admin/classes/quota', { body: { class_id, ...toBounds(quota), reason } }),
});

function Actions({ one, onAct }: CardProps) {
  const { class_id, name, ended, students } = one;
  if (students.length === 0) return undefined;
  const isDeleted = students.every(({ state }) => state === 'deleted');
  const isWaiting = students.some(({ last_login_at, state }) => last_login_at === null && state === 'active');
  const end = (accounts: 'block' | 'delete', title: string, warning: string) =>
    onAct({
      title,
      target: name,
      warning,
      run: (reason) => call('POST', '/admin/classes/end', { body: { class_id, accounts, reason } }),
    });
  return (
    <Group gap="xs">
      {!isDeleted && (
        <Tooltip label={T.exportHint} multiline w={260}>
          <Button
            size="xs"
            variant="light"
            onClick={() => void saveFile(`${name}.zip`, `/admin/classes/export?class_id=${class_id}`)}
          >
            {T.export}
          </Button>
        </Tooltip>
      )}
      {!ended && (
        <Button size="xs" variant="light" onClick={() => onAct(changeQuota(one))}>
          {T.quota}
        </Button>
      )}
      {!ended && isWaiting && (
        <Button size="xs" variant="light" onClick={() => onAct(invite(one, T.anotherAll))}>
          {T.anotherAll}
        </Button>
      )}
      {!ended && (
        <Button size="xs" variant="light" color="orange" onClick={() => end('block', T.block, T.blockWarning)}>
          {T.block}
        </Button>
      )}
      {!isDeleted && (
        <Button size="xs" variant="light" color="red" onClick={() => end('delete', T.remove, T.removeWarning)}>
          {T.remove}
        </Button>
      )}
    </Group>
  );
}

function Students({ one, onAct }: CardProps) {
  return (
    <Table.ScrollContainer minWidth={560} type="native" tabIndex={0}>
      <Table aria-label={one.name}>
        <Table.Thead>
          <Table.Tr>
            {T.columns.map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {one.students.map((student) => (
            <Table.Tr key={student.user_id}>
              <Table.Td>{student.username}</Table.Td>
              <Table.Td>{ADMIN_TEXTS.user.states[student.state]}</Table.Td>
              <Table.Td>{student.last_login_at === null ? T.notYet : <Moment at={student.last_login_at} />}</Table.Td>
              <Table.Td>{student.jobs}</Table.Td>
              <Table.Td>{student.projects}</Table.Td>
              <Table.Td>
                {student.state === 'active' && !one.ended && (
                  <Button size="compact-sm" variant="light" onClick={() => onAct(invite(one, T.another, student))}>
                    {T.another}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
