import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/client.js';
import { personName } from '../format.js';
import { SHARED_TEXTS as T } from '../texts/classes.js';
import { Gallery } from './gallery.js';

/** A class has about ten; the list of projects has all. */
const SHOWN_MAX = 24;

/** Projects that others share, each to begin with: templates of a class among them. Nothing where there is none. */
export function SharedGallery() {
  const { data } = useQuery({
    queryKey: ['projects', 'shared', 'gallery'],
    queryFn: () =>
      call('GET', '/projects', {
        query: { view: 'shared', page_size: SHOWN_MAX, order_by: 'title', order_type: 'ascend' },
      }),
  });
  if (data === undefined || data.projects.length === 0) return undefined;
  const beginnings = data.projects.map(({ project_id: copy, title, thumbnail, owner }) => ({
    id: copy,
    title,
    words: T.by(owner === undefined ? '—' : personName(owner)),
    picture: thumbnail,
    search: { copy },
  }));
  return (
    <Stack gap="xs">
      <div>
        <Title order={2} size="h4">
          {T.title}
        </Title>
        <Text size="sm" c="dimmed">
          {T.lead}
        </Text>
      </div>
      <Gallery label={T.title} beginnings={beginnings} to="/new" height={110} />
      <Title order={2} size="h4" mt="sm">
        {T.templates}
      </Title>
    </Stack>
  );
}
