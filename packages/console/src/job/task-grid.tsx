import { Card, Group, Text, Title, Tooltip } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import type { TaskStatus } from '../api/live.js';
import { STATE_COLORS } from '../shell/state-badge.js';
import { TEXTS } from '../texts.js';
import classes from './task-grid.module.css';

/** One cell a task: its colour is the state, its filling the progress; the words are at the pointer and for readers. */
export function TaskGrid({ tasks }: { readonly tasks: readonly TaskStatus[] }) {
  const failed = tasks.filter(({ failure }) => failure !== undefined);
  return (
    <Card withBorder>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          {TEXTS.job.tasks}
        </Title>
        <Text size="sm" c="dimmed">
          {tasks.filter(({ task_state: state }) => state === 'COMPLETED').length} / {tasks.length}
        </Text>
      </Group>
      <div className={classes.grid} role="list" aria-label={TEXTS.job.tasks} onKeyDown={moveFocus}>
        {tasks.map((task, i) => (
          <Cell key={task.task_id} task={task} isFirst={i === 0} />
        ))}
      </div>
      {failed.slice(0, 5).map(({ task_id: id, failure }) => (
        <Text key={id} size="sm" c="red" mt="xs">
          {TEXTS.job.task(id)}: {failure}
        </Text>
      ))}
    </Card>
  );
}

/** Arrow keys go from cell to cell: the keyboard stops at the first of them only, however many there are. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const cell = event.target instanceof HTMLElement ? event.target : undefined;
  const next =
    event.key === 'ArrowRight'
      ? cell?.nextElementSibling
      : event.key === 'ArrowLeft'
        ? cell?.previousElementSibling
        : undefined;
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

interface CellProps {
  readonly task: TaskStatus;
  readonly isFirst: boolean;
}

function Cell({ task, isFirst }: CellProps) {
  const { task_id: id, task_state: state, simulated_primaries: done, requested_primaries: all } = task;
  const share = state === 'COMPLETED' ? 1 : all === 0 ? 0 : done / all;
  const words = `${TEXTS.job.task(id)}: ${TEXTS.states[state][0]}, ${TEXTS.job.primaries(done, all)}`;
  const color = STATE_COLORS[state];
  return (
    <Tooltip label={words}>
      <div
        role="listitem"
        aria-label={words}
        className={classes.cell}
        tabIndex={isFirst ? 0 : -1}
        data-task-state={state}
        style={{ background: `var(--mantine-color-${color}-light)` }}
      >
        <div
          className={classes.fill}
          style={{ height: `${100 * share}%`, background: `var(--mantine-color-${color}-filled)` }}
        />
        <span className={classes.number}>{id}</span>
      </div>
    </Tooltip>
  );
}
