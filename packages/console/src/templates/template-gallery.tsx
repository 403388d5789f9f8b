import { Card, Image, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { templatesQuery } from '../api/queries.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { TEXTS } from '../texts.js';

const T = TEXTS.templates;

/** Projects to begin with: a picture, a title and what each of them teaches. @param to - the page that one is opened in */
export function TemplateGallery({ to }: { readonly to: '/new' | '/sweeps/new' }) {
  const { data, isError, error } = useQuery(templatesQuery);
  if (isError) return <ProblemNotice error={error} />;
  if (data === undefined) return <Skeleton h={320} />;
  return (
    <SimpleGrid component="ul" cols={{ base: 1, xs: 2, md: 3, xl: 4 }} p={0} m={0} aria-label={T.gallery}>
      {data.templates.map(({ name, title, teaches, picture }) => (
        <li key={name} style={{ listStyle: 'none', display: 'flex' }}>
          <Card
            withBorder
            renderRoot={(props) => <Link {...props} to={to} search={{ template: name }} />}
            w="100%"
            style={{ color: 'inherit', textDecoration: 'none' }}
          >
            {picture !== null && (
              <Card.Section>
                <Image src={picture} alt="" h={170} fit="contain" bg="#eef3f5" loading="lazy" />
              </Card.Section>
            )}
            <Stack gap={4} mt="sm">
              <Text fw={600}>{title}</Text>
              <Text size="sm" c="dimmed">
                {teaches}
              </Text>
            </Stack>
          </Card>
        </li>
      ))}
    </SimpleGrid>
  );
}
