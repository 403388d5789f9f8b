import { Alert, Button, Container, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { templateChanges, templateValues } from '@tally/client/templates';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { inputsQuery, projectQuery, templateQuery } from '../api/queries.js';
import { ButtonLink } from '../shell/links.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { useKept } from '../shell/use-kept.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { SharedGallery } from '../templates/shared-gallery.js';
import { TemplateGallery } from '../templates/template-gallery.js';
import { TemplateParameters } from '../templates/template-parameters.js';
import { TEXTS } from '../texts.js';
import { DropArea } from './drop-area.js';
import { type Dropped, isProject, readDropped, titleOf } from './project.js';
import { SubmitForm } from './submit-form.js';

const T = TEXTS.submit;

/** From a project, or the files of a deck, to a job. */
export function NewJobPage() {
  const { from, template: name, copy } = useSearch({ from: '/new' });
  const navigate = useNavigate();
  const [source, setSource] = useKept<Dropped | undefined>('source', () => undefined);
  const earlier = useQuery({ ...inputsQuery(from ?? ''), enabled: from !== undefined });
  usePageTitle(T.title);
  useEffect(() => {
    if (earlier.data === undefined || source !== undefined) return;
    const { input_type: kind, input } = earlier.data;
    if (kind === 'files') setSource({ kind, files: input });
    else if (isProject(input)) setSource({ kind, project: input });
  }, [earlier.data]);
  const template = useQuery({ ...templateQuery(name ?? ''), enabled: name !== undefined });
  const shared = useQuery({ ...projectQuery(copy ?? ''), enabled: copy !== undefined });
  useEffect(() => {
    const project = template.data?.project ?? shared.data?.project;
    if (source === undefined && isProject(project)) setSource({ kind: 'editor', project });
  }, [template.data, shared.data, source]);
  const isWaiting = source === undefined && [earlier, template, shared].some(({ isLoading }) => isLoading);
  const fault = earlier.error ?? template.error ?? shared.error;
  const begin = () => {
    setSource(undefined);
    void navigate({ to: '/new', search: {} });
  };
  return (
    <Container fluid maw={1900} py="lg">
      <Stack>
        <Group justify="space-between">
          <Title order={1} size="h2">
            {T.title}
          </Title>
          <Group gap="xs">
            {source?.kind === 'editor' && (from ?? name ?? copy) !== undefined && (
              <ButtonLink
                to="/projects/$projectId"
                params={{ projectId: 'new' }}
                search={{ from, template: name, copy }}
                variant="default"
                size="xs"
              >
                {T.inEditor}
              </ButtonLink>
            )}
            {source !== undefined && source.kind !== 'fault' && (
              <Button variant="default" size="xs" onClick={begin}>
                {T.another}
              </Button>
            )}
          </Group>
        </Group>
        {fault !== null && <ProblemNotice error={fault} />}
        {isWaiting && <Skeleton h={400} />}
        {source?.kind === 'fault' && <Unreadable fault={source} />}
        {!isWaiting && (source === undefined || source.kind === 'fault') && <Start onSource={setSource} />}
        {name !== undefined && template.data !== undefined && source?.kind === 'editor' && (
          <TemplateParameters
            template={template.data}
            project={source.project}
            onProject={(project) => setSource({ kind: 'editor', project })}
          />
        )}
        {source !== undefined && source.kind !== 'fault' && (
          <SubmitForm
            key={source.kind === 'editor' ? titleOf(source.project) : 'files'}
            source={source}
            onChange={setSource}
            changes={
              template.data === undefined || source.kind !== 'editor'
                ? undefined
                : templateChanges(template.data.parameters, templateValues(template.data.parameters, source.project))
            }
          />
        )}
      </Stack>
    </Container>
  );
}

/** Why what was dropped is neither a project nor a deck. */
export function Unreadable({ fault: { name, why } }: { readonly fault: Extract<Dropped, { kind: 'fault' }> }) {
  return (
    <Alert color="red" variant="light" role="alert">
      {why === undefined ? T.notProject(name) : T.unreadable(name, why)}
    </Alert>
  );
}

interface StartProps {
  readonly onSource: (source: Dropped) => void;
  /** The page that a template is opened in. */
  readonly to?: '/new' | '/sweeps/new';
}

/** Takes a project, a deck or a template. */
export function Start({ onSource, to = '/new' }: StartProps) {
  return (
    <Stack>
      <DropArea
        onFiles={(files) => onSource(readDropped(files))}
        onFault={(name, why) => onSource({ kind: 'fault', name, why })}
      />
      <Text c="dimmed" ta="center">
        {T.orTemplate}
      </Text>
      {to === '/new' && <SharedGallery />}
      <TemplateGallery to={to} />
    </Stack>
  );
}
