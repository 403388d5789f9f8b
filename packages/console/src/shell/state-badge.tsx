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

interface BadgeProps {
  readonly state: StateName;
  readonly size?: 'sm' | 'md' | 'lg';
  /** Whether the keyboard stops at it, for what it means: in a long list it does not. */
  readonly isFocusable?: boolean;
  /** How far a job was when it was stopped, 0 … 1. */
  readonly stoppedAt?: number | undefined;
}

/** A state in words; what it means at the pointer. */
export function StateBadge({ state, size = 'md', isFocusable = false, stoppedAt }: BadgeProps) {
  const [word, meaning] = TEXTS.states[state];
  return (
    <Tooltip label={meaning}>
      <Badge
        color={STATE_COLORS[state]}
        variant="light"
        size={size}
        tt="none"
        fw={600}
        data-state={state}
        autoContrast
        {...(isFocusable ? { tabIndex: 0 } : {})}
      >
        {stoppedAt === undefined || stoppedAt >= 1 ? word : TEXTS.jobs.stoppedAt(stoppedAt)}
      </Badge>
    </Tooltip>
  );
}
