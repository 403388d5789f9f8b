import {
  ActionIcon,
  Alert,
  Button,
  Card,
  Container,
  Group,
  Menu,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { infiniteQueryOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, type Output } from '../api/client.js';
import { mayDo, queryClient, type View } from '../api/queries.js';
import { instant, personName } from '../format.js';
import { ShareDialog } from '../people/share-button.js';
import { ViewChoice } from '../people/views.js';
import { ButtonLink } from '../shell/links.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { DropArea } from '../submit/drop-area.js';
import { EDITOR_TEXTS } from '../texts/editor.js';
import { PEOPLE_TEXTS } from '../texts/people.js';
import { VIEW_TEXTS } from '../texts/views.js';
import classes from './editor.module.css';
import { readDroppedProject } from './keep/dropped.js';
import { titleOf } from './keep/keeper.js';
import { projectService } from './keep/service.js';
import type { JsonObject } from './model/pointer.js';
import { withValueAt } from './model/pointer.js';

const T = EDITOR_TEXTS.list;
const PAGE_SIZE = 24;
const SETTLED_MS = 300;

type Listed = Output<'GET', '/projects'>['projects'][number];
type Order = 'updated_at' | 'title';

const projectsQuery = (search: string, order: Order, view: View) =>
  infiniteQueryOptions({
    queryKey: ['projects', search, order, view],
    queryFn: ({ pageParam }) =>
      call('GET', '/projects', {
        query: {
          page_size: PAGE_SIZE,
          page_idx: pageParam,
          order_by: order,
          order_type: order === 'title' ? 'ascend' : 'descend',
          search,
          view,
        },
      }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (all.length < last.page_count ? all.length + 1 : undefined),
  });

/** Projects that the user keeps, and the ways to another one. */
export function ProjectsPage() {
  const navigate = useNavigate();
  const [fault, setFault] = useState<{ readonly name: string; readonly why: string | undefined } | undefined>();
  const create = useMutation({
    mutationFn: (project: JsonObject) =>
      projectService.create({ title: titleOf(project), project, thumbnail: undefined }),
    onSuccess: async ({ projectId }) => {
      void queryClient.invalidateQueries({ queryKey: ['projects'] });
      await navigate({ to: '/projects/$projectId', params: { projectId } });
    },
  });
  const take = (files: Record<string, string>) => {
    const read = readDroppedProject(files);
    setFault('fault' in read ? read.fault : undefined);
    if ('project' in read) create.mutate(read.project);
  };
  const [view, setView] = useState<View>('own');
  return (
    <Container size="xl" py="lg">
      <Stack>
        <Heading />
        <Group>
          <ViewChoice view={view} onView={setView} />
        </Group>
        {fault !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {T.unreadable(fault.name, fault.why ?? T.notProject)}
          </Alert>
        )}
        {create.isError && <ProblemNotice error={create.error} />}
        <Projects view={view} />
        <DropArea words={T.drop} button={T.choose} onFiles={take} onFault={(name, why) => setFault({ name, why })} />
      </Stack>
    </Container>
  );
}

/** What the user keeps, or others show, with a search. */
function Projects({ view }: { readonly view: View }) {
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<Order>('updated_at');
  const [settled] = useDebouncedValue(search.trim(), SETTLED_MS);
  const list = useInfiniteQuery(projectsQuery(settled, order, view));
  const projects = list.data?.pages.flatMap((page) => page.projects) ?? [];
  const isEmpty = list.data !== undefined && projects.length === 0;
  return (
    <>
      <Group gap="sm">
        <TextInput
          aria-label={T.search}
          placeholder={T.search}
          flex="1 1 220px"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Select
          aria-label={T.order}
          w={200}
          allowDeselect={false}
          data={[
            { value: 'updated_at', label: T.byChange },
            { value: 'title', label: T.byTitle },
          ]}
          value={order}
          onChange={(value) => setOrder(value === 'title' ? 'title' : 'updated_at')}
        />
      </Group>
      {list.isError && <ProblemNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton h={240} />}
      {isEmpty && (
        <Card withBorder>
          <Text fw={600}>{settled !== '' ? T.nothing : view === 'own' ? T.empty : VIEW_TEXTS.nothing[view]}</Text>
          {settled === '' && view === 'own' && (
            <Text size="sm" c="dimmed">
              {T.emptyHint}
            </Text>
          )}
        </Card>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }}>
        {projects.map((project) => (
          <ProjectCard key={project.project_id} project={project} />
        ))}
      </SimpleGrid>
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {T.more}
        </Button>
      )}
    </>
  );
}

function Heading() {
  return (
    <Group justify="space-between">
      <div>
        <Title order={1} size="h2">
          {T.title}
        </Title>
        <Text size="sm" c="dimmed">
          {T.lead}
        </Text>
      </div>
      <Group gap="xs">
        <ButtonLink to="/new" variant="default">
          {T.fromTemplate}
        </ButtonLink>
        <ButtonLink to="/projects/$projectId" params={{ projectId: 'new' }}>
          {T.create}
        </ButtonLink>
      </Group>
    </Group>
  );
}

function ProjectCard({ project }: { readonly project: Listed }) {
  const { project_id: projectId, title, thumbnail, updated_at: at } = project;
  return (
    <Card withBorder p="sm" pos="relative" data-project={projectId}>
      <div
        className={classes.thumb}
        style={thumbnail === undefined ? undefined : { backgroundImage: `url("${thumbnail}")` }}
      />
      <Group justify="space-between" wrap="nowrap" mt="xs" gap="xs">
        <div style={{ minWidth: 0 }}>
          <Link
            to="/projects/$projectId"
            params={{ projectId }}
            className={classes.projectLink}
            aria-label={T.open(title)}
          >
            <Text fw={600} truncate>
              {title}
            </Text>
          </Link>
          <Text size="xs" c="dimmed" title={new Date(at).toString()}>
            {T.updated(instant(at))}
          </Text>
          {project.owner !== undefined && (
            <Text size="xs" c="dimmed" truncate>
              {VIEW_TEXTS.of(personName(project.owner))}
              {project.group !== undefined && `, ${project.group.name}`}
            </Text>
          )}
        </div>
        <ProjectMenu project={project} />
      </Group>
    </Card>
  );
}

function ProjectMenu({ project: listed }: { readonly project: Listed }) {
  const { project_id: projectId, title } = listed;
  const done = () => queryClient.invalidateQueries({ queryKey: ['projects'] });
  const copy = useMutation({
    mutationFn: async () => {
      const { project } = await projectService.read(projectId);
      const called = T.copyOf(title);
      await projectService.create({
        title: called,
        project: withValueAt(project, '/project/title', called),
        thumbnail: undefined,
      });
    },
    onSuccess: done,
  });
  const remove = useMutation({
    mutationFn: () => call('DELETE', '/projects', { query: { project_id: projectId } }),
    onSuccess: done,
  });
  const [isSharing, sharing] = useDisclosure();
  const error = copy.error ?? remove.error;
  return (
    <div style={{ position: 'relative', zIndex: 1 }}>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={T.menu(title)}>
            <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
              <circle cx="3" cy="8" r="1.5" />
              <circle cx="8" cy="8" r="1.5" />
              <circle cx="13" cy="8" r="1.5" />
            </svg>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => copy.mutate()}>{T.copy}</Menu.Item>
          {mayDo(listed, 'share') && <Menu.Item onClick={sharing.open}>{PEOPLE_TEXTS.share}</Menu.Item>}
          {mayDo(listed, 'delete') && (
            <Menu.Item color="red" onClick={() => window.confirm(T.removeSure(title)) && remove.mutate()}>
              {T.remove}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ShareDialog of={{ project_id: projectId }} title={title} isOpen={isSharing} onClose={sharing.close} />
      {error !== null && <ProblemNotice error={error} />}
    </div>
  );
}
