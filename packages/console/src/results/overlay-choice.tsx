import { MultiSelect, Select } from '@mantine/core';
import { TEXTS } from '../texts.js';
import type { Overlays } from './use-overlays.js';

const T = TEXTS.results;
const OVERLAYS_MAX = 7;
/** A figure that grows by its overlay may push the field out of sight; its list stays open all the same. */
const COMBOBOX = { hideDetached: false };

interface ChoiceProps {
  readonly overlays: Overlays;
  /** Only one: pictures do not lie over each other as curves do. */
  readonly isSingle?: boolean;
}

/** Which other pages are laid over this one. */
export function OverlayChoice({ overlays: { choices, values, choose }, isSingle = false }: ChoiceProps) {
  const data = choices.map(({ group, items }) => ({ group, items: [...items] }));
  if (isSingle) {
    return (
      <Select
        label={T.compareWith}
        description={T.overlayHint}
        data={data}
        value={values[0] ?? null}
        onChange={(value) => choose(value === null ? [] : [value])}
        searchable
        clearable
        comboboxProps={COMBOBOX}
      />
    );
  }
  return (
    <MultiSelect
      label={T.overlay}
      description={T.overlayHint}
      data={data}
      value={[...values]}
      onChange={choose}
      searchable
      clearable
      maxValues={OVERLAYS_MAX}
      comboboxProps={COMBOBOX}
    />
  );
}
