import { Button, Card, Container, Group, Progress, Select, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Output } from '../api/client.js';
import { byteWords } from '../byte-words.js';
import { duration } from '../format.js';
import { saveFile } from '../results/save.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { USAGE_TEXTS as T } from '../texts/usage.js';
import { DayChart } from './day-chart.js';
import { lastMonths } from './months.js';

type Usage = Output<'GET', '/usage'>;

const MINE = '';

/** Days of a month, YYYY-MM. */
function daysOf(month: string): { readonly from: string; readonly to: string } {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) };
}

const usageQuery = (month: string, groupId: string) =>
  queryOptions({
    queryKey: ['usage', month, groupId],
    queryFn: () =>
      call('GET', '/usage', { query: { ...daysOf(month), ...(groupId === MINE ? {} : { group_id: groupId }) } }),
  });
const groupsQuery = queryOptions({ queryKey: ['groups'], queryFn: () => call('GET', '/groups'), retry: false });

/** Processor time of a month, one's own or of a group, and quotas. */
export function UsagePage() {
  usePageTitle(T.title);
  const months = lastMonths(new Date());
  const [month, setMonth] = useState(months[0] ?? '');
  const [groupId, setGroupId] = useState(MINE);
  const groups = useQuery(groupsQuery);
  const usage = useQuery(usageQuery(month, groupId));
  const managed = (groups.data?.groups ?? []).filter(({ role }) => role === 'manager');
  const query = new URLSearchParams({
    ...daysOf(month),
    format: 'csv',
    ...(groupId === MINE ? {} : { group_id: groupId }),
  });
  return (
    <Container size="lg" py="lg">
      <Stack>
        <Group justify="space-between">
          <Title order={1} size="h2">
            {T.title}
          </Title>
          <Group>
            {managed.length > 0 && (
              <Select
                aria-label={T.whose}
                allowDeselect={false}
                data={[
                  { value: MINE, label: T.mine },
                  ...managed.map(({ group_id: value, name: label }) => ({ value, label })),
                ]}
                value={groupId}
                onChange={(value) => setGroupId(value ?? MINE)}
              />
            )}
            <Select
              aria-label={T.month}
              allowDeselect={false}
              w={130}
              data={months}
              value={month}
              onChange={(value) => setMonth(value ?? month)}
            />
            <Button variant="default" onClick={() => void saveFile(`usage-${month}.csv`, `/usage?${query}`)}>
              {T.csv}
            </Button>
          </Group>
        </Group>
        {usage.isError && <ProblemNotice error={usage.error} onRetry={() => void usage.refetch()} />}
        {usage.isPending && <Skeleton h={320} />}
        {usage.data !== undefined && <Shown usage={usage.data} />}
      </Stack>
    </Container>
  );
}

function Shown({ usage }: { readonly usage: Usage }) {
  const { running } = usage;
  return (
    <>
      <Card withBorder>
        <Text fw={600} size="lg">
          {T.total(duration(usage.processor_seconds))}
        </Text>
        <Text size="sm" c="dimmed">
          {T.hint}
        </Text>
        {usage.days.length === 0 ? (
          <Text mt="md">{T.none}</Text>
        ) : (
          <DayChart from={usage.from} to={usage.to} days={usage.days} />
        )}
        {running !== undefined && running.tasks > 0 && (
          <Text size="sm">{T.running(running.tasks, duration(running.processor_seconds))}</Text>
        )}
      </Card>
      {usage.quotas.length > 0 && <Quotas usage={usage} />}
      {usage.days.length > 0 && <Sums days={usage.days} />}
    </>
  );
}

function Quotas({ usage }: { readonly usage: Usage }) {
  const words = { processor_seconds_month: duration, stored_bytes: byteWords, running_tasks: String };
  return (
    <Card withBorder>
      <Stack>
        {usage.quotas.map(({ name, limit, used: counted, resets_at: resetsAt }) => {
          const used = counted ?? (name === 'stored_bytes' ? usage.stored_bytes : undefined);
          const share = used === undefined ? 0 : Math.min(1, used / limit);
          return (
            <div key={name}>
              <Group justify="space-between">
                <Text size="sm">{T.quotas[name]}</Text>
                <Text size="sm" c="dimmed">
                  {used === undefined ? words[name](limit) : T.of(words[name](used), words[name](limit))}
                  {resetsAt !== undefined && `, ${T.resets(resetsAt.slice(0, 10))}`}
                </Text>
              </Group>
              <Progress
                value={Math.round(1_000 * share) / 10}
                color={share < 0.9 ? undefined : 'red'}
                aria-label={T.quotas[name]}
              />
            </div>
          );
        })}
      </Stack>
    </Card>
  );
}

/** By user and place, the most first. */
function Sums({ days }: Pick<Usage, 'days'>) {
  const sums = new Map<string, { readonly user: string; readonly cluster: string; seconds: number }>();
  for (const { user, cluster, processor_seconds: seconds } of days) {
    const key = JSON.stringify([user, cluster]);
    const sum = sums.get(key) ?? { user, cluster, seconds: 0 };
    sum.seconds += seconds;
    sums.set(key, sum);
  }
  const rows = [...sums.values()].sort((a, b) => b.seconds - a.seconds);
  return (
    <Card withBorder>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {Object.values(T.headings).map((heading) => (
              <Table.Th key={heading}>{heading}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ user, cluster, seconds }) => (
            <Table.Tr key={`${user} ${cluster}`}>
              <Table.Td>{user}</Table.Td>
              <Table.Td>{cluster === '' ? T.here : cluster}</Table.Td>
              <Table.Td>{duration(seconds)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
