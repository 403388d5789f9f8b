import { Badge, Button, Group, Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import type { Keeper, SaveState } from './keeper.js';

const T = EDITOR_TEXTS.saved;

const COLORS: Readonly<Record<SaveState['kind'], string>> = {
  new: 'gray',
  saved: 'teal',
  waiting: 'gray',
  saving: 'gray',
  failed: 'orange',
  refused: 'red',
  conflict: 'red',
};

export const useSaveState = (keeper: Keeper): SaveState => useSyncExternalStore(keeper.subscribe, keeper.getState);

/** Whether the service has what is on the page. */
export function SaveMark({ keeper }: { readonly keeper: Keeper }) {
  const state = useSaveState(keeper);
  const word = 'why' in state ? T[state.kind](state.why) : T[state.kind];
  const retry = () => void keeper.flush().catch(() => undefined); // the mark says it
  return (
    <Group gap={6} wrap="nowrap" role="status" data-saved={state.kind}>
      <Tooltip label={word} multiline maw={320} disabled={!('why' in state)}>
        <Badge variant="light" color={COLORS[state.kind]} tt="none" fw={500} c="var(--mantine-color-text)" maw={320}>
          {word}
        </Badge>
      </Tooltip>
      {state.kind === 'failed' && (
        <Button size="compact-xs" variant="subtle" onClick={retry}>
          {T.again}
        </Button>
      )}
    </Group>
  );
}
