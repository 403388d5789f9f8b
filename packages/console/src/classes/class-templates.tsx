import { Group, Pill, Select, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../api/client.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { CLASS_TEXTS as T } from '../texts/classes.js';
import { type ListedClass, ownProjectsQuery, refreshClasses } from './queries.js';

/** Projects that the students may read: shares with their group, which the teacher gives and takes back. */
export function ClassTemplates({ one }: { readonly one: ListedClass }) {
  const projects = useQuery(ownProjectsQuery);
  const give = useMutation({
    mutationFn: (project_id: string) =>
      call('POST', '/shares', { body: { project_id, with: 'group', group_id: one.group_id } }),
    onSettled: refreshClasses,
  });
  const takeBack = useMutation({
    mutationFn: (share_id: string) => call('DELETE', '/shares', { query: { share_id } }),
    onSettled: refreshClasses,
  });
  const given = new Set(one.templates.map(({ project_id }) => project_id));
  const own = projects.data?.projects.filter(({ project_id }) => !given.has(project_id)) ?? [];
  return (
    <div>
      <Group gap="xs">
        <Text size="sm">{T.templates}:</Text>
        {one.templates.map(({ share_id, title }) => (
          <Pill
            key={share_id}
            withRemoveButton
            removeButtonProps={{ 'aria-label': T.takeBack(title), 'aria-hidden': false, tabIndex: 0 }}
            onRemove={() => takeBack.mutate(share_id)}
          >
            {title}
          </Pill>
        ))}
        {own.length > 0 && (
          <Select
            size="xs"
            aria-label={T.addTemplate}
            placeholder={T.addTemplate}
            data={own.map(({ project_id: value, title: label }) => ({ value, label }))}
            value={null}
            onChange={(projectId) => projectId !== null && give.mutate(projectId)}
          />
        )}
      </Group>
      {give.isError && <ProblemNotice error={give.error} />}
      {takeBack.isError && <ProblemNotice error={takeBack.error} />}
    </div>
  );
}
