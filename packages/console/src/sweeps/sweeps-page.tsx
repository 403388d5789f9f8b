import { Card, Container, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { isFinal } from '../api/queries.js';
import { ButtonLink, TextLink } from '../shell/links.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { SWEEP_TEXTS as T } from '../texts/sweeps.js';
import { keyOf, type Sweep, type Value } from './sweep-title.js';
import { useSweeps } from './use-sweeps.js';

/** All sweeps of the user. */
export function SweepsPage() {
  const { sweeps: all, read, total, isComplete, error } = useSweeps();
  const sweeps = all.filter(({ jobs }) => jobs.length > 1); // one job is a job
  usePageTitle(T.title);
  return (
    <Container fluid maw={1900} py="lg">
      <Stack>
        <Group justify="space-between">
          <Group align="baseline" gap="sm">
            <Title order={1} size="h2">
              {T.title}
            </Title>
            <Text c="dimmed" size="sm" role="status">
              {isComplete || total === 0 ? '' : T.searching(read, total)}
            </Text>
          </Group>
          <ButtonLink to="/sweeps/new">{T.create}</ButtonLink>
        </Group>
        <Text c="dimmed" size="sm">
          {T.lead}
        </Text>
        {error !== null && <ProblemNotice error={error} />}
        {sweeps.length > 0 && <List sweeps={sweeps} />}
        {sweeps.length === 0 && !isComplete && error === null && <Skeleton h={200} />}
        {sweeps.length === 0 && isComplete && (
          <Card withBorder p="xl" ta="center">
            <Text fw={600}>{T.none}</Text>
            <Text c="dimmed" size="sm">
              {T.noneHint}
            </Text>
          </Card>
        )}
      </Stack>
    </Container>
  );
}

/** `70, 90, …, 230` */
export function valuesWords(values: readonly Value[]): string {
  return values.length <= 4 ? values.join(', ') : `${values.slice(0, 2).join(', ')}, …, ${values.at(-1)}`;
}

function List({ sweeps }: { readonly sweeps: readonly Sweep[] }) {
  return (
    <Card withBorder>
      <Table.ScrollContainer minWidth={480} type="native">
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              {Object.values(T.headings).map((heading) => (
                <Table.Th key={heading}>{heading}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sweeps.map((sweep) => {
              const ended = sweep.jobs.filter(({ job }) => isFinal(job.job_state)).length;
              return (
                <Table.Tr key={keyOf(sweep)} data-sweep={sweep.title}>
                  <Table.Td>
                    <TextLink to="/sweeps/show" search={{ title: sweep.title, over: sweep.names.join(',') }} fw={600}>
                      {sweep.title}
                    </TextLink>
                  </Table.Td>
                  <Table.Td>{sweep.names.join(', ')}</Table.Td>
                  <Table.Td>{valuesWords(sweep.jobs.map(({ values }) => values.join(' / ')))}</Table.Td>
                  <Table.Td>{T.jobs(ended, sweep.jobs.length)}</Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
