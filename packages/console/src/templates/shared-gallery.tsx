import { Card, Image, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../api/client.js';
import { SHARED_TEXTS as T } from '../texts/classes.js';

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
      <SimpleGrid component="ul" cols={{ base: 1, xs: 2, md: 3, xl: 4 }} p={0} m={0} aria-label={T.title}>
        {data.projects.map(({ project_id: copy, title, thumbnail, owner }) => (
          <li key={copy} style={{ listStyle: 'none', display: 'flex' }}>
            <Card
              withBorder
              renderRoot={(props) => <Link {...props} to="/new" search={{ copy }} />}
              w="100%"
              style={{ color: 'inherit', textDecoration: 'none' }}
            >
              {thumbnail !== undefined && (
                <Card.Section>
                  <Image src={thumbnail} alt="" h={110} fit="contain" bg="#eef3f5" loading="lazy" />
                </Card.Section>
              )}
              <Stack gap={4} mt={thumbnail === undefined ? 0 : 'sm'}>
                <Text fw={600}>{title}</Text>
                <Text size="sm" c="dimmed">
                  {T.by(owner?.display_name || owner?.username || '—')}
                </Text>
              </Stack>
            </Card>
          </li>
        ))}
      </SimpleGrid>
      <Title order={2} size="h4" mt="sm">
        {T.templates}
      </Title>
    </Stack>
  );
}
