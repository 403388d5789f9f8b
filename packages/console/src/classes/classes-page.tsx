import { Container, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { type Act, ReasonModal } from '../admin/reason-modal.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { CLASS_TEXTS as T } from '../texts/classes.js';
import { Classes } from './classes.js';

/** A teacher's classes. */
export function ClassesPage() {
  usePageTitle(T.title);
  const [act, setAct] = useState<Act>();
  return (
    <Container size="xl" py="lg">
      <Title order={1} size="h2">
        {T.title}
      </Title>
      <Text size="sm" c="dimmed">
        {T.lead}
      </Text>
      <Classes onAct={setAct} />
      <ReasonModal act={act} onClose={() => setAct(undefined)} />
    </Container>
  );
}
