import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Act } from '../admin/reason-modal.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { CLASS_TEXTS as T } from '../texts/classes.js';
import { ClassCard } from './class-card.js';
import { NewClass } from './new-class.js';
import { classesQuery } from './queries.js';

/** Makes classes, shows who has joined, and ends them. */
export function Classes({ onAct }: { readonly onAct: (act: Act) => void }) {
  const classes = useQuery(classesQuery);
  const [isMaking, { open, close }] = useDisclosure();
  const all = classes.data?.classes ?? [];
  return (
    <Stack my="md">
      {isMaking && <NewClass onDone={close} />}
      {!isMaking && (
        <Group>
          <Button onClick={open}>{T.begin}</Button>
        </Group>
      )}
      {classes.isError && <ProblemNotice error={classes.error} />}
      {classes.isSuccess && all.length === 0 && !isMaking && <Text c="dimmed">{T.none}</Text>}
      {all.map((one) => (
        <ClassCard key={one.class_id} one={one} onAct={onAct} />
      ))}
    </Stack>
  );
}
