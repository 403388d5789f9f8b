import { Badge, Card, Container, Group, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { clustersQuery, limitsQuery, simulatorsQuery, userQuery } from '../api/queries.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { engineWords, SIMULATOR_NAMES } from '../submit/simulators.js';
import { TEXTS } from '../texts.js';
import { Email } from './email.js';
import { Notifications } from './notifications.js';
import { Password } from './password.js';
import { Sessions } from './sessions.js';
import { Tokens } from './tokens.js';
import { Webhooks } from './webhooks.js';

const T = TEXTS.account;

/** What the deployment offers, and the user's tokens and sessions. */
export function AccountPage() {
  usePageTitle(T.title);
  return (
    <Container size="xl" py="lg">
      <Stack>
        <Title order={1} size="h2">
          {T.title}
        </Title>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Stack>
            <Email />
            <Notifications />
            <Webhooks />
            <Password />
            <Tokens />
            <Sessions />
          </Stack>
          <Stack>
            <Simulators />
            <Clusters />
            <Limits />
          </Stack>
        </SimpleGrid>
      </Stack>
    </Container>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card withBorder>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {children}
    </Card>
  );
}

function Availability({ isAvailable }: { readonly isAvailable: boolean }) {
  return (
    <Badge color={isAvailable ? 'teal' : 'gray'} variant="light" tt="none" autoContrast>
      {isAvailable ? T.available : T.unavailable}
    </Badge>
  );
}

function Simulators() {
  const { data, error, isPending } = useQuery(simulatorsQuery);
  return (
    <Section title={T.simulators}>
      {isPending && <Skeleton h={80} />}
      {error !== null && <ProblemNotice error={error} />}
      <Text size="sm" c="dimmed" mb="xs">
        {T.simulatorsLead}
      </Text>
      {data?.simulators.map(({ sim_type: name, available, engine }) => (
        <Group key={name} justify="space-between" py={4} wrap="nowrap">
          <Text size="sm">
            <b>{name}</b> {SIMULATOR_NAMES[name]}
            <Text span size="xs" c="dimmed" display="block">
              {engineWords(engine)}
            </Text>
          </Text>
          <Availability isAvailable={available} />
        </Group>
      ))}
    </Section>
  );
}

function Clusters() {
  const user = useQuery(userQuery);
  const isSso = user.data?.source === 'sso';
  const { data, error } = useQuery({ ...clustersQuery, enabled: isSso });
  return (
    <Section title={T.clusters}>
      {user.isSuccess && !isSso && (
        <Text c="dimmed" size="sm">
          {T.ssoOnly}
        </Text>
      )}
      {error !== null && <ProblemNotice error={error} />}
      {data?.clusters.length === 0 && <Text c="dimmed">{T.noClusters}</Text>}
      {data?.clusters.map(({ cluster_name: name, display_name: shown, available }) => (
        <Group key={name} justify="space-between" py={4}>
          <Text size="sm">
            <b>{shown}</b> {shown === name ? '' : name}
          </Text>
          <Availability isAvailable={available} />
        </Group>
      ))}
    </Section>
  );
}

/** `64 KiB` */
function sizeWords(bytes: number): string {
  const power = Math.min(2, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const size = (bytes / 2 ** (10 * power)).toLocaleString('en', { maximumFractionDigits: 1 });
  return `${size} ${['B', 'KiB', 'MiB'][power]}`;
}

/** A limit's name and number in words: the unit is at the end of the name. */
function limitWords(name: string, value: number): readonly [string, string] {
  const known: Readonly<Record<string, string>> = T.limitNames;
  const words =
    known[name] ??
    name
      .replace(/_bytes(?=_m(?:ax|in)$)|_ms$/, '')
      .replace(/_max$/, '')
      .replace(/_min$/, T.atLeast)
      .replaceAll('_', ' ');
  if (value === 0 && name.endsWith('_max')) return [words, T.noLimit];
  if (name.includes('rate_bytes')) return [words, `${sizeWords(value)}/s`];
  if (name.includes('bytes')) return [words, sizeWords(value)];
  if (name.endsWith('_ms')) return [words, `${value / 1000} s`];
  return [words, value.toLocaleString('en')];
}

function Limits() {
  const { data, error } = useQuery(limitsQuery);
  const limits = Object.entries(data?.limits ?? {});
  return (
    <Section title={T.limits}>
      {error !== null && <ProblemNotice error={error} />}
      <Table verticalSpacing={4} withRowBorders={false}>
        <Table.Tbody>
          {limits.map(([name, value]) => {
            const [words, size] = limitWords(name, value);
            return (
              <Table.Tr key={name}>
                <Table.Td c="dimmed">{words}</Table.Td>
                <Table.Td ta="right">{size}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
