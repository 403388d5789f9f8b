import { Anchor, Card, Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from './logo.js';

interface LinkPageProps {
  readonly title: string;
  readonly lead: string;
  /** Where to go on. */
  readonly back: string;
  readonly children?: ReactNode;
}

/** A page that needs no session, where a mailed link leads to. */
export function LinkPage({ title, lead, back, children }: LinkPageProps) {
  return (
    <Center mih="100vh" p="md" component="main">
      <Card w="100%" maw={420} padding="xl" shadow="md" withBorder>
        <Stack>
          <Logo size={44} />
          <Title order={1} size="h2">
            {title}
          </Title>
          <Text c="dimmed" size="sm" role="status">
            {lead}
          </Text>
          {children}
          <Anchor size="sm" href="/console/">
            {back}
          </Anchor>
        </Stack>
      </Card>
    </Center>
  );
}
