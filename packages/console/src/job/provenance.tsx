import { Button, Card, Group, Table, Title, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { TaskStatus } from '../api/live.js';
import { estimatorsQuery, isFinal, type JobStatus } from '../api/queries.js';
import { duration } from '../format.js';
import { saveFile } from '../results/save.js';
import { Moment } from '../shell/moment.js';
import { TEXTS } from '../texts.js';
import { queueTime } from './progress.js';

const T = TEXTS.job;

interface ProvenanceProps {
  readonly jobId: string;
  readonly status: JobStatus;
  readonly tasks: readonly TaskStatus[];
}

/** The date and time that a job id begins with, UTC: when it was submitted. */
function submittedAt(jobId: string): string | undefined {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/.exec(jobId) ?? [];
  return y === undefined ? undefined : `${y}-${mo}-${d}T${h}:${mi}:${s}Z`;
}

/** Where the numbers come from. */
export function Provenance({ jobId, status, tasks }: ProvenanceProps) {
  const estimators = useQuery({ ...estimatorsQuery(jobId), retry: false });
  const ends = tasks.flatMap(({ end_time: end }) => (end === undefined ? [] : [end])).sort();
  const submitted = submittedAt(jobId);
  const queue = queueTime(submitted, isFinal(status.job_state) ? ends.at(-1) : undefined, tasks);
  const { description } = status;
  const water = description?.water_ionisation_ev;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [T.simulates, description?.beam],
    [T.askedFor, description && T.asked(description.requested_primaries)],
    [T.waterName, typeof water === 'number' ? `${water} eV` : undefined],
    [T.seed, description?.seed],
    [T.simulator, description?.simulator],
    [T.computedBy, estimators.data?.engine],
    [T.histories, estimators.data?.primaries.toLocaleString('en')],
    [T.merged, estimators.data && T.mergedOf(estimators.data.tasks_merged, tasks.length)],
    [T.submitted, submitted && <Moment key={submitted} at={submitted} isFocusable />],
    [T.waited, queue && T.queue(queue.share, duration(queue.seconds))],
    [T.cluster, status.cluster_name],
    ...(estimators.data?.warnings ?? []).map(({ message }) => [T.note, message] as const),
  ];
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {T.provenance}
        </Title>
        {isFinal(status.job_state) && (
          <Tooltip label={T.crateHint} multiline w={300}>
            <Button
              size="compact-sm"
              variant="light"
              onClick={() => void saveFile(`${jobId}.crate.zip`, `/jobs/crate?job_id=${encodeURIComponent(jobId)}`)}
            >
              {T.crate}
            </Button>
          </Tooltip>
        )}
      </Group>
      <Table verticalSpacing={4} withRowBorders={false}>
        <Table.Tbody>
          {rows.map(([name, value], index) =>
            value === undefined ? undefined : (
              <Table.Tr key={`${name} ${index}`}>
                <Table.Th w={130} fw={500} c="dimmed">
                  {name}
                </Table.Th>
                <Table.Td>{value}</Table.Td>
              </Table.Tr>
            ),
          )}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
