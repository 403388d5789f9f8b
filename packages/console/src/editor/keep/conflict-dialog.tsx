import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { describeProjectChanges } from '@tally/client';
import { useState } from 'react';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import { useProject } from '../editor-context.js';
import type { Keeper } from './keeper.js';
import { useSaveState } from './save-mark.js';

const T = EDITOR_TEXTS.conflict;
const SENTENCES_SHOWN = 12;

/** Two tabs have changed one project: what each has changed, and which of them holds. */
export function ConflictDialog({ keeper }: { readonly keeper: Keeper }) {
  const state = useSaveState(keeper);
  const project = useProject();
  const [isBusy, setIsBusy] = useState(false);
  if (state.kind !== 'conflict') return undefined;
  const choose = (choice: 'mine' | 'theirs' | 'both') => {
    setIsBusy(true);
    void keeper.resolve(choice).finally(() => setIsBusy(false));
  };
  const choices = [
    ['mine', T.keepMine, T.keepMineHint],
    ['theirs', T.takeTheirs, T.takeTheirsHint],
    ['both', T.keepBoth, T.keepBothHint],
  ] as const;
  return (
    <Modal opened onClose={() => undefined} withCloseButton={false} title={T.title} size="lg" closeOnEscape={false}>
      <Stack>
        <Text size="sm">{T.lead}</Text>
        <Group align="flex-start" grow>
          <Changes title={T.theirs} sentences={describeProjectChanges(state.base, state.theirs.project)} />
          <Changes title={T.mine} sentences={describeProjectChanges(state.base, project)} />
        </Group>
        <Group grow align="flex-start">
          {choices.map(([choice, label, hint]) => (
            <Stack gap={2} key={choice}>
              <Button
                variant={choice === 'mine' ? 'filled' : 'default'}
                loading={isBusy}
                onClick={() => choose(choice)}
              >
                {label}
              </Button>
              <Text size="xs" c="dimmed" ta="center">
                {hint}
              </Text>
            </Stack>
          ))}
        </Group>
      </Stack>
    </Modal>
  );
}

/** Sentences on what differs. */
export function Changes({ title, sentences }: { readonly title?: string; readonly sentences: readonly string[] }) {
  return (
    <div>
      {title !== undefined && (
        <Text fw={600} size="sm">
          {title}
        </Text>
      )}
      {sentences.length === 0 ? (
        <Text size="sm" c="dimmed">
          {T.same}
        </Text>
      ) : (
        <List size="sm">
          {sentences.slice(0, SENTENCES_SHOWN).map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
          {sentences.length > SENTENCES_SHOWN && <List.Item>…</List.Item>}
        </List>
      )}
    </div>
  );
}
