import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PEOPLE_TEXTS as T } from '../texts/people.js';
import { groupsQuery } from './queries.js';

/** The user's groups, to choose from. */
export function useGroupChoices() {
  const groups = useQuery(groupsQuery);
  return (groups.data?.groups ?? []).map(({ group_id: value, name: label }) => ({ value, label }));
}

interface ChoiceProps {
  readonly groupId: string | undefined;
  readonly onChange: (groupId: string | undefined) => void;
  /** The group that it belongs to, which need not be one of the user's. */
  readonly current?: { readonly group_id: string; readonly name: string } | undefined;
}

/** To which group something belongs; nothing is shown to who is in none. */
export function GroupChoice({ groupId, onChange, current }: ChoiceProps) {
  const choices = useGroupChoices();
  const isOther = current !== undefined && !choices.some(({ value }) => value === current.group_id);
  const data = isOther ? [...choices, { value: current.group_id, label: current.name }] : choices;
  if (data.length === 0) return undefined;
  return (
    <Select
      label={T.belongs}
      description={T.belongsHint}
      placeholder={T.noGroup}
      data={data}
      value={groupId ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearable
    />
  );
}
