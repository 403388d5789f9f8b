import { Badge, Tooltip } from '@mantine/core';
import type { StateName } from '../api/live.js';
import { TEXTS } from '../texts.js';

/** Colour of a state, the same in every place. */
export const STATE_COLORS: Readonly<Record<StateName, string>> = {
  UNKNOWN: 'gray',
  PENDING: 'gray',
  RUNNING: 'blue',
  MERGING_QUEUED: 'violet',
  MERGING_RUNNING: 'violet',
  COMPLETED: 'teal',
  FAILED: 'red',
  CANCELED: 'orange',
};

/** A state in words; what it means at the pointer. */
export function StateBadge({ state, size = 'md' }: { readonly state: StateName; readonly size?: 'sm' | 'md' | 'lg' }) {
  const [word, meaning] = TEXTS.states[state];
  return (
    <Tooltip label={meaning}>
      <Badge color={STATE_COLORS[state]} variant="light" size={size} tt="none" fw={600} data-state={state} autoContrast>
        {word}
      </Badge>
    </Tooltip>
  );
}
