import { Alert, Container, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { userQuery } from '../api/queries.js';
import { ButtonLink } from '../shell/links.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { EDITOR_TEXTS } from '../texts/editor.js';
import { ask } from './check/ask.js';
import { EditorBody } from './editor-body.js';
import { createLocalCopies } from './keep/local-copies.js';
import { DeckJobError, openWanted } from './keep/open.js';

const T = EDITOR_TEXTS.page;

/** A project to be changed: one that is kept, a new one, the input of a job, a template, or a copy. */
export function EditorPage() {
  const { projectId } = useParams({ from: '/projects/$projectId' });
  const { from, template, copy } = useSearch({ from: '/projects/$projectId' });
  const navigate = useNavigate();
  const user = useQuery(userQuery);
  const copies = useMemo(() => createLocalCopies(user.data?.username ?? ''), [user.data?.username]);
  const address = [projectId, from, template, copy].join(' ');
  // a project that has just been made gets another address, and stays on the page
  const [session, setSession] = useState({ address, number: 0, created: '' });
  if (session.address !== address) {
    const isSame = projectId === session.created;
    setSession({ address, number: session.number + (isSame ? 0 : 1), created: isSame ? session.created : '' });
  }
  const opened = useQuery({
    queryKey: ['editor', session.number, session.created === '' ? address : 'created'],
    queryFn: () => openWanted({ projectId, from, template, copy }, copies),
    enabled: session.address === address && session.created === '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const materials = useQuery({
    queryKey: ['materials'],
    queryFn: () => ask('materials', {}),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [shown, setShown] = useState<{ number: number; data: NonNullable<typeof opened.data> } | undefined>();
  if (opened.data !== undefined && shown?.number !== session.number && session.created === '')
    setShown({ number: session.number, data: opened.data });
  if (opened.isError) return <Failed error={opened.error} jobId={from} onRetry={() => void opened.refetch()} />;
  if (shown?.number !== session.number || materials.data === undefined)
    return (
      <Container size="xl" py="lg" aria-label={T.loading}>
        <Skeleton h={500} />
      </Container>
    );
  return (
    <EditorBody
      key={session.number}
      opened={shown.data}
      copies={copies}
      materials={materials.data}
      onCreated={(created) => {
        setSession((before) => ({ ...before, created }));
        void navigate({ to: '/projects/$projectId', params: { projectId: created }, replace: true });
      }}
    />
  );
}

interface FailedProps {
  readonly error: unknown;
  readonly jobId: string | undefined;
  readonly onRetry: () => void;
}

function Failed({ error, jobId, onRetry }: FailedProps) {
  return (
    <Container size="md" py="lg">
      <Stack align="flex-start">
        {error instanceof DeckJobError ? (
          <Alert color="blue" variant="light">
            <Text size="sm">{T.isDeck}</Text>
            <ButtonLink to="/new" search={{ from: jobId }} mt="sm" size="xs">
              {T.toDeck}
            </ButtonLink>
          </Alert>
        ) : (
          <ProblemNotice error={error} onRetry={onRetry} />
        )}
        <ButtonLink to="/projects" variant="default">
          {T.back}
        </ButtonLink>
      </Stack>
    </Container>
  );
}
