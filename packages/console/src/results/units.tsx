import { NativeSelect } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { inUnit, unitsLike } from '@tally/merge/readings';
import { TEXTS } from '../texts.js';

const NONE: readonly string[] = [];

/** The units that somebody has chosen instead of others that measure the same; this browser remembers them. */
export function useUnits() {
  const [chosen, setChosen] = useLocalStorage({ key: 'tally-units', defaultValue: NONE });
  const choose = (unit: string) =>
    setChosen((before) => [...before.filter((other) => inUnit(other, unit) === undefined), unit]);
  return { chosen, choose };
}

interface UnitProps {
  /** The one that is shown. */
  readonly unit: string;
  readonly onChange?: () => void;
}

/** The unit of values, by choice where there are others for the same quantity. */
export function UnitChoice({ unit, onChange }: UnitProps) {
  const { choose } = useUnits();
  const choices = unitsLike(unit).map((value) => ({ value, label: inUnit(unit, value)?.unit ?? value }));
  if (choices.length < 2) return undefined;
  return (
    <NativeSelect
      size="xs"
      aria-label={TEXTS.results.unit}
      data={choices}
      value={choices.find(({ label }) => label === unit)?.value}
      onChange={(event) => {
        choose(event.currentTarget.value);
        onChange?.();
      }}
    />
  );
}
