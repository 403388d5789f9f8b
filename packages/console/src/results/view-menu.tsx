import { Button, Group, NumberInput, Popover, Stack, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { FIGURE_TEXTS as T } from '../texts/figures.js';
import type { Range } from './plot/chart.js';

/** An axis whose range somebody may type. */
export interface TypedRange {
  readonly from: string;
  readonly to: string;
  readonly range: Range | undefined;
  /** What is in sight without it. */
  readonly whole: Range;
  readonly onChange: (range: Range | undefined) => void;
}

interface ViewMenuProps {
  readonly ranges: readonly TypedRange[];
  readonly levels: string;
  readonly onLevels: (levels: string) => void;
  readonly onReset: () => void;
}

/** Ranges of axes and colours by hand, and levels that are drawn as lines. */
export function ViewMenu({ ranges, levels, onLevels, onReset }: ViewMenuProps) {
  const isChanged = levels !== '' || ranges.some(({ range }) => range !== undefined);
  return (
    <Popover position="bottom-end" withArrow shadow="md" width={320} trapFocus>
      <Popover.Target>
        <Button size="xs" variant={isChanged ? 'light' : 'default'}>
          {T.view}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {ranges.map((axis) => (
            <RangeFields key={axis.from} {...axis} />
          ))}
          <Levels levels={levels} onLevels={onLevels} />
          <Button size="xs" variant="default" disabled={!isChanged} onClick={onReset}>
            {T.everything}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const rounded = (value: number): number => Number(value.toPrecision(5));

function RangeFields({ from, to, range, whole, onChange }: TypedRange) {
  const [low, high] = range ?? whole;
  const [typed, setTyped] = useState<readonly [number | string, number | string]>([rounded(low), rounded(high)]);
  useEffect(() => setTyped([rounded(low), rounded(high)]), [low, high]);
  const change = (at: 0 | 1, value: number | string) => {
    const next = [at === 0 ? value : typed[0], at === 1 ? value : typed[1]] as const;
    setTyped(next);
    const [least, most] = next;
    if (typeof least === 'number' && typeof most === 'number' && most > least) onChange([least, most]);
  };
  const isWrong = !(Number(typed[1]) > Number(typed[0]));
  return (
    <Group grow gap="xs">
      <NumberInput
        size="xs"
        hideControls
        label={from}
        value={typed[0]}
        onChange={(value) => change(0, value)}
        error={isWrong}
      />
      <NumberInput
        size="xs"
        hideControls
        label={to}
        value={typed[1]}
        onChange={(value) => change(1, value)}
        error={isWrong}
      />
    </Group>
  );
}

function Levels({ levels, onLevels }: Pick<ViewMenuProps, 'levels' | 'onLevels'>) {
  const [typed, setTyped] = useState(levels);
  useEffect(() => setTyped((before) => (before.trim() === levels ? before : levels)), [levels]);
  return (
    <TextInput
      size="xs"
      label={T.levels}
      description={T.levelsHint}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onLevels(event.currentTarget.value.trim());
      }}
    />
  );
}
