import { Stack, Text } from '@mantine/core';
import { ChannelChoice, useChannels } from '../notify/channel-choice.js';
import { NOTIFY_TEXTS as T } from '../texts/notify.js';
import { Section } from './section.js';

/** Whether the user is told when any job of his ends. */
export function Notifications() {
  const { canMail, canCall } = useChannels();
  if (!canMail && !canCall) return null;
  return (
    <Section title={T.title}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {T.lead}
        </Text>
        <ChannelChoice scope="all" words={T.all} />
      </Stack>
    </Section>
  );
}
