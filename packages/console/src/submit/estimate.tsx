import { Alert, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, type Input, type Output, toProblem } from '../api/client.js';
import { duration } from '../format.js';
import { TEXTS } from '../texts.js';

const T = TEXTS.submit;
/** How long nothing is typed before the service is asked. */
const SETTLED_MS = 800;

type Body = Input<'POST', '/estimate'>['body'];
type Seconds = NonNullable<Output<'POST', '/estimate'>['simulators'][number]['wall_seconds']>;

/** `2 min 5 s (1 min … 4 min)` */
const words = ({ expected, low, high }: Seconds): string =>
  `${duration(expected)} (${duration(low)} … ${duration(high)})`;

/** How long the job would take, by what the last ones took. */
export function Estimate({ body }: { readonly body: Body }) {
  const [settled] = useDebouncedValue(body, SETTLED_MS);
  const ask = useMutation({ mutationFn: (asked: Body) => call('POST', '/estimate', { body: asked }) });
  const { mutate } = ask;
  useEffect(() => mutate(settled), [settled, mutate]);
  const found = ask.data?.simulators[0];
  const { cluster_name: cluster, wall_time_limit_seconds: limit, slots, tasks_before: before = 0 } = ask.data ?? {};
  const queue = cluster !== undefined ? undefined : slots === 0 ? T.noSlots : before > 0 ? T.before(before) : undefined;
  const { wall_seconds: wall, processor_seconds: processor } = found ?? {};
  const text =
    ask.error !== null
      ? T.noEstimate(toProblem(ask.error).message)
      : wall !== undefined
        ? (cluster === undefined ? T.wall : T.eachTask)(words(wall))
        : processor !== undefined
          ? T.processor(words(processor))
          : (found?.refusal ?? '…');
  return (
    <Stack gap={4} role="status" data-estimate={wall?.expected}>
      <Group justify="space-between" gap={4}>
        <Text size="sm">{text}</Text>
        {found?.basis !== undefined && (
          <Text size="xs" c="dimmed">
            {T.basis[found.basis]}
          </Text>
        )}
      </Group>
      {queue !== undefined && (
        <Text size="xs" c="dimmed" data-queue={before}>
          {queue}
        </Text>
      )}
      {wall !== undefined && limit !== undefined && wall.high > limit && (
        <Alert color="orange" variant="light" py="xs" data-too-long>
          {T.tooLong(duration(limit))}
        </Alert>
      )}
    </Stack>
  );
}
