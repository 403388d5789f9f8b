import { Card, Image, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** Something to begin with. */
interface Beginning {
  readonly id: string;
  readonly title: string;
  readonly words: string;
  /** Undefined: none. */
  readonly picture: string | undefined;
  /** Of the page that it is opened in. */
  readonly search: { readonly template: string } | { readonly copy: string };
}

interface GalleryProps {
  readonly label: string;
  readonly beginnings: readonly Beginning[];
  readonly to: '/new' | '/sweeps/new';
  /** Of a picture, pixels. */
  readonly height: number;
}

/** Cards to begin with, each a link. */
export function Gallery({ label, beginnings, to, height }: GalleryProps) {
  return (
    <SimpleGrid component="ul" cols={{ base: 1, xs: 2, md: 3, xl: 4 }} p={0} m={0} aria-label={label}>
      {beginnings.map(({ id, title, words, picture, search }) => (
        <li key={id} style={{ listStyle: 'none', display: 'flex' }}>
          <Card
            withBorder
            renderRoot={(props) => <Link {...props} to={to} search={search} />}
            w="100%"
            style={{ color: 'inherit', textDecoration: 'none' }}
          >
            {picture !== undefined && (
              <Card.Section>
                <Image src={picture} alt="" h={height} fit="contain" bg="#eef3f5" loading="lazy" />
              </Card.Section>
            )}
            <Stack gap={4} mt={picture === undefined ? 0 : 'sm'}>
              <Text fw={600}>{title}</Text>
              <Text size="sm" c="dimmed">
                {words}
              </Text>
            </Stack>
          </Card>
        </li>
      ))}
    </SimpleGrid>
  );
}
