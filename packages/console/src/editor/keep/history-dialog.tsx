import { Badge, Button, Card, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { describeProjectChanges } from '@tally/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.js';
import { instant } from '../../format.js';
import { ProblemNotice } from '../../shell/problem-notice.js';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import { useEditor } from '../editor-context.js';
import { Changes } from './conflict-dialog.js';

const T = EDITOR_TEXTS.history;

const revisionQuery = (projectId: string, revision: number) => ({
  queryKey: ['project', projectId, revision],
  queryFn: () => call('GET', '/projects/project', { query: { project_id: projectId, revision } }),
  staleTime: Number.POSITIVE_INFINITY,
});

interface HistoryProps {
  /** Undefined: it has not been saved yet. */
  readonly projectId: string | undefined;
  readonly onClose: () => void;
}

/** Versions that the service keeps, what each changed, and the way back to it. */
export function HistoryDialog({ projectId, onClose }: HistoryProps) {
  const history = useQuery({
    queryKey: ['revisions', projectId],
    queryFn: () => call('GET', '/projects/revisions', { query: { project_id: projectId ?? '' } }),
    enabled: projectId !== undefined,
    staleTime: 0,
  });
  const revisions = (history.data?.revisions ?? []).toSorted((one, other) => other.revision - one.revision);
  return (
    <Modal opened onClose={onClose} title={T.title} size="lg">
      <Stack gap="xs">
        {projectId === undefined && <Text size="sm">{T.none}</Text>}
        {history.isError && <ProblemNotice error={history.error} onRetry={() => void history.refetch()} />}
        {history.isLoading && <Skeleton h={120} />}
        {projectId !== undefined &&
          revisions.map(({ revision, saved_at: at, note, job_count: jobs }, i) => (
            <Card withBorder p="xs" key={revision} data-revision={revision}>
              <Group justify="space-between">
                <Group gap="xs">
                  <Text size="sm" fw={600}>
                    {T.revision(revision)}
                  </Text>
                  <Text size="sm" c="dimmed" title={new Date(at).toString()}>
                    {instant(at)}
                  </Text>
                  {jobs > 0 && (
                    <Badge variant="light" tt="none" color="gray" c="var(--mantine-color-text)">
                      {T.jobs(jobs)}
                    </Badge>
                  )}
                </Group>
                {i > 0 ? (
                  <Restore projectId={projectId} revision={revision} onDone={onClose} />
                ) : (
                  <Text size="sm">{T.now}</Text>
                )}
              </Group>
              {note !== undefined && <Text size="sm">{note}</Text>}
              <Difference projectId={projectId} revision={revision} before={revisions[i + 1]?.revision} />
            </Card>
          ))}
      </Stack>
    </Modal>
  );
}

interface RestoreProps {
  readonly projectId: string;
  readonly revision: number;
  readonly onDone: () => void;
}

function Restore({ projectId, revision, onDone }: RestoreProps) {
  const { store } = useEditor();
  const found = useQuery({ ...revisionQuery(projectId, revision), enabled: false });
  const take = async () => {
    const { data } = await found.refetch();
    if (data === undefined) return;
    store.dropDrafts('');
    store.edit(() => data.project);
    onDone();
  };
  return (
    <Button size="xs" variant="default" loading={found.isFetching} onClick={() => void take()}>
      {T.restore}
    </Button>
  );
}

interface DifferenceProps {
  readonly projectId: string;
  readonly revision: number;
  readonly before: number | undefined;
}

/** What a version changed of the one before, in words, once somebody asks. */
function Difference({ projectId, revision, before }: DifferenceProps) {
  const [isWanted, setIsWanted] = useState(false);
  const options = { enabled: isWanted && before !== undefined };
  const after = useQuery({ ...revisionQuery(projectId, revision), ...options });
  const earlier = useQuery({ ...revisionQuery(projectId, before ?? 1), ...options });
  if (before === undefined) return undefined;
  if (!isWanted)
    return (
      <Button size="compact-xs" variant="subtle" onClick={() => setIsWanted(true)}>
        {T.changes}
      </Button>
    );
  if (after.data === undefined || earlier.data === undefined) return <Skeleton h={20} />;
  return <Changes sentences={describeProjectChanges(earlier.data.project, after.data.project)} />;
}
