import { Group, NumberInput, Text } from '@mantine/core';
import { CLASS_TEXTS as T } from '../texts/classes.js';

/** Bounds of a student as the fields have them; empty: as the server is set. */
export interface QuotaFields {
  readonly hours: number | string;
  readonly tasks: number | string;
}

const HOUR_SECONDS = 3_600;
const bound = (value: number | string) => (value === '' ? null : Number(value));

/** The same as the service takes them. */
export const toBounds = ({ hours, tasks }: QuotaFields) => ({
  processor_seconds_month: hours === '' ? null : Number(hours) * HOUR_SECONDS,
  running_tasks: bound(tasks),
});

export const hoursOf = (seconds: number | null) =>
  seconds === null ? null : Number((seconds / HOUR_SECONDS).toFixed(2));

interface Props {
  readonly value: QuotaFields;
  readonly onChange: (value: QuotaFields) => void;
}

/** Two numbers that bind each student. */
export function QuotaInputs({ value, onChange }: Props) {
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {T.quotaLead}
      </Text>
      <Group grow align="flex-end">
        <NumberInput
          label={T.hours}
          min={0}
          decimalScale={2}
          value={value.hours}
          onChange={(hours) => onChange({ ...value, hours })}
        />
        <NumberInput
          label={T.tasks}
          min={0}
          allowDecimal={false}
          value={value.tasks}
          onChange={(tasks) => onChange({ ...value, tasks })}
        />
      </Group>
    </div>
  );
}
