import { Badge, Button, Card, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.js';
import { instant } from '../format.js';
import { Moment } from '../shell/moment.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { ADMIN_TEXTS as T } from '../texts/admin.js';
import { AdminTable } from './admin-table.js';
import type { Act } from './reason-modal.js';

interface TabProps {
  readonly onAct: (act: Act) => void;
}
type LoadKey = keyof typeof T.load.keys;

/** What runs and waits, summed up. */
export function LoadTab() {
  const [by, setBy] = useState<LoadKey>('user');
  const load = useQuery({
    queryKey: ['admin', 'load', by],
    queryFn: () => call('GET', '/admin/load', { query: { by } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const keys = Object.entries(T.load.keys).map(([value, label]) => ({ value, label }));
  return (
    <AdminTable
      label={T.tabs.load}
      columns={[T.load.keys[by], ...T.load.columns.slice(1)]}
      source={load}
      rows={(load.data?.loads ?? []).map((one) => ({
        key: `${one.key} ${one.user_id ?? ''} ${one.group_id ?? ''}`,
        cells: [
          one.key || (by === 'group' ? T.load.noGroup : String(one.user_id ?? '')),
          one.open_jobs,
          one.running_tasks,
          one.pending_tasks,
          one.oldest_start_time === undefined ? '' : <Moment key="since" at={one.oldest_start_time} />,
        ],
      }))}
    >
      <Select
        w={220}
        label={T.load.by}
        allowDeselect={false}
        data={keys}
        value={by}
        onChange={(value) => setBy((value ?? 'user') as LoadKey)}
      />
    </AdminTable>
  );
}

/** Runners that live. */
export function RunnersTab({ onAct }: TabProps) {
  const runners = useQuery({
    queryKey: ['admin', 'runners'],
    queryFn: () => call('GET', '/admin/runners'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const drain = (runner_id: string, draining: boolean) =>
    onAct({
      title: draining ? T.runner.drain : T.runner.undrain,
      target: runner_id,
      run: (reason) => call('POST', '/admin/runners/drain', { body: { runner_id, draining, reason } }),
    });
  return (
    <AdminTable
      label={T.tabs.runners}
      columns={T.runner.columns}
      source={runners}
      rows={(runners.data?.runners ?? []).map(
        ({ runner_id, running_tasks, slots, executables, confinement, draining }) => ({
          key: runner_id,
          cells: [
            <Group key="id" gap="xs">
              {runner_id}
              {draining && (
                <Badge color="orange" variant="light" tt="none" autoContrast>
                  {T.runner.draining}
                </Badge>
              )}
            </Group>,
            running_tasks,
            slots,
            executables.join(', ') || T.runner.builtIn,
            confinement ?? '',
            <Button key="drain" size="compact-sm" variant="light" onClick={() => drain(runner_id, !draining)}>
              {draining ? T.runner.undrain : T.runner.drain}
            </Button>,
          ],
        }),
      )}
    />
  );
}

/** Which platforms take submissions. */
export function SubmissionsTab({ onAct }: TabProps) {
  const pauses = useQuery({
    queryKey: ['admin', 'pauses'],
    queryFn: () => call('GET', '/admin/pauses'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const names = ['direct', 'batch'] as const;
  return (
    <Stack my="md">
      <Text size="sm" c="dimmed">
        {T.pause.lead}
      </Text>
      {pauses.isError && <ProblemNotice error={pauses.error} />}
      {pauses.data !== undefined &&
        names.map((platform) => {
          const paused = pauses.data.pauses.find((pause) => pause.platform === platform);
          const title = paused === undefined ? T.pause.pause : T.pause.resume;
          return (
            <Card key={platform} withBorder>
              <Group justify="space-between">
                <div>
                  <Title order={2} size="h5">
                    {T.pause.platforms[platform]}
                  </Title>
                  <Text size="sm">
                    {paused === undefined ? T.pause.open : `${T.pause.since(instant(paused.since))} ${paused.sentence}`}
                  </Text>
                </div>
                <Button
                  variant="light"
                  color={paused === undefined ? 'orange' : 'teal'}
                  onClick={() =>
                    onAct({
                      title,
                      target: T.pause.platforms[platform],
                      ...(paused === undefined ? { sentence: T.pause.sentence } : {}),
                      run: (reason, sentence) =>
                        call('PUT', '/admin/pauses', {
                          body: { platform, sentence: paused === undefined ? sentence : null, reason },
                        }),
                    })
                  }
                >
                  {title}
                </Button>
              </Group>
            </Card>
          );
        })}
    </Stack>
  );
}
