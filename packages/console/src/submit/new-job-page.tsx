import { Alert, Button, Card, Container, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { inputsQuery } from '../api/queries.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { TEXTS } from '../texts.js';
import { DropArea } from './drop-area.js';
import { type Dropped, isProject, readDropped, titleOf } from './project.js';
import { SubmitForm } from './submit-form.js';

const T = TEXTS.submit;

/** From a project, or the files of a deck, to a job. */
export function NewJobPage() {
  const { from } = useSearch({ from: '/new' });
  const [source, setSource] = useState<Dropped>();
  const earlier = useQuery({ ...inputsQuery(from ?? ''), enabled: from !== undefined });
  useEffect(() => {
    if (earlier.data === undefined) return;
    const { input_type: kind, input } = earlier.data;
    if (kind === 'files') setSource({ kind, files: input });
    else if (isProject(input)) setSource({ kind, project: input });
  }, [earlier.data]);
  const isWaiting = from !== undefined && source === undefined && earlier.isPending;
  return (
    <Container size="xl" py="lg">
      <Stack>
        <Group justify="space-between">
          <Title order={1} size="h2">
            {T.title}
          </Title>
          {source !== undefined && source.kind !== 'fault' && (
            <Button variant="default" size="xs" onClick={() => setSource(undefined)}>
              {T.another}
            </Button>
          )}
        </Group>
        {earlier.isError && <ProblemNotice error={earlier.error} />}
        {isWaiting && <Skeleton h={400} />}
        {source?.kind === 'fault' && (
          <Alert color="red" variant="light" role="alert">
            {source.why === undefined ? T.notProject(source.name) : T.unreadable(source.name, source.why)}
          </Alert>
        )}
        {!isWaiting && (source === undefined || source.kind === 'fault') && <Start onSource={setSource} />}
        {source !== undefined && source.kind !== 'fault' && (
          <SubmitForm
            key={source.kind === 'editor' ? titleOf(source.project) : 'files'}
            source={source}
            onChange={setSource}
          />
        )}
      </Stack>
    </Container>
  );
}

/** Examples of the repository: each becomes a file of the bundle, loaded when it is chosen. */
const EXAMPLES = import.meta.glob<string>('../../../../examples/*.json', {
  query: '?url',
  import: 'default',
  eager: true,
});
const EXAMPLE_WORDS: Readonly<Record<string, readonly [string, string]>> = T.exampleWords;

function Start({ onSource }: { readonly onSource: (source: Dropped) => void }) {
  const take = async (url: string, name: string) => {
    const response = await fetch(url);
    onSource(readDropped({ [`${name}.json`]: await response.text() }));
  };
  return (
    <Stack>
      <DropArea
        onFiles={(files) => onSource(readDropped(files))}
        onFault={(name, why) => onSource({ kind: 'fault', name, why })}
      />
      <Text c="dimmed" ta="center">
        {T.examples}
      </Text>
      <Group grow align="stretch" wrap="wrap" preventGrowOverflow={false}>
        {Object.entries(EXAMPLES).map(([path, url]) => {
          const name = path.replace(/^.*\/|\.json$/g, '');
          const [title, lead] = EXAMPLE_WORDS[name] ?? [name, ''];
          return (
            <Card
              key={path}
              withBorder
              component="button"
              type="button"
              onClick={() => void take(url, name)}
              style={{ cursor: 'pointer', textAlign: 'left' }}
              miw={230}
              flex="1 1 230px"
            >
              <Text fw={600}>{title}</Text>
              <Text size="sm" c="dimmed">
                {lead}
              </Text>
            </Card>
          );
        })}
      </Group>
    </Stack>
  );
}
