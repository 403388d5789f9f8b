import { Badge, Button, Card, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import { projectService } from '../editor/keep/service.js';
import { TextLink } from '../shell/links.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { PEOPLE_TEXTS as T } from '../texts/people.js';
import { More } from './more.js';
import { groupsQuery } from './queries.js';
import type { OthersView } from './views.js';

const PAGE_SIZE = 50;

const projectsQuery = (view: OthersView) =>
  infiniteQueryOptions({
    queryKey: ['projects', view],
    queryFn: ({ pageParam }) =>
      call('GET', '/projects', { query: { view, page_size: PAGE_SIZE, page_idx: pageParam } }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (all.length < last.page_count ? all.length + 1 : undefined),
  });

/** Projects of groups, or that others share: whoever may only read one takes a copy. */
export function ProjectsOfOthers({ view }: { readonly view: OthersView }) {
  const list = useInfiniteQuery(projectsQuery(view));
  const groups = useQuery(groupsQuery);
  const copy = useMutation({
    mutationFn: async ({ project_id: projectId, title }: { readonly project_id: string; readonly title: string }) => {
      const { project } = await projectService.read(projectId);
      await projectService.create({ title, project, thumbnail: undefined });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['projects'] }),
  });
  const projects = list.data?.pages.flatMap((page) => page.projects) ?? [];
  const mayChange = (groupId: string | undefined) =>
    groups.data?.groups.some(({ group_id: id, role }) => id === groupId && role !== 'viewer') === true;
  return (
    <Stack>
      {list.isPending && <Skeleton h={240} />}
      {list.isError && <ProblemNotice error={list.error} onRetry={() => void list.refetch()} />}
      {copy.isError && <ProblemNotice error={copy.error} />}
      {list.isSuccess && projects.length === 0 && <Text c="dimmed">{T.nothing[view]}</Text>}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }}>
        {projects.map((project) => (
          <Card key={project.project_id} withBorder p="sm" data-project={project.project_id}>
            <Group justify="space-between">
              {mayChange(project.group?.group_id) ? (
                <TextLink to="/projects/$projectId" params={{ projectId: project.project_id }}>
                  {project.title}
                </TextLink>
              ) : (
                <Text fw={600}>{project.title}</Text>
              )}
              {project.group !== undefined && <Badge variant="light">{project.group.name}</Badge>}
            </Group>
            <Text size="xs" c="dimmed">
              {T.sharedBy(project.owner?.display_name || project.owner?.username || '')}
            </Text>
            <Button
              mt="xs"
              size="compact-sm"
              variant="default"
              loading={copy.isPending}
              onClick={() => copy.mutate(project)}
            >
              {T.copy}
            </Button>
          </Card>
        ))}
      </SimpleGrid>
      {list.hasNextPage && <More list={list} />}
    </Stack>
  );
}
