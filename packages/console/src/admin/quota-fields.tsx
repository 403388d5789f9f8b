import { NumberInput, Stack, Text } from '@mantine/core';
import { ADMIN_TEXTS } from '../texts/admin.js';

const T = ADMIN_TEXTS.quota;

/** Bounds of a user as the fields have them; empty: as the server is set. */
export interface QuotaFields {
  readonly hours: number | string;
  readonly gigabytes: number | string;
  readonly tasks: number | string;
}

/** The same as the service has them. */
export interface QuotaBounds {
  readonly processor_seconds_month: number | null;
  readonly stored_bytes: number | null;
  readonly running_tasks: number | null;
}

const HOUR_SECONDS = 3_600;
const GIGABYTE = 1e9;

const read = (value: number | string, unit: number) => (value === '' ? null : Math.round(Number(value) * unit));

/** What the fields say. */
export const toBounds = ({ hours, gigabytes, tasks }: QuotaFields): QuotaBounds => ({
  processor_seconds_month: read(hours, HOUR_SECONDS),
  stored_bytes: read(gigabytes, GIGABYTE),
  running_tasks: read(tasks, 1),
});

export const hoursOf = (seconds: number | null): number | null =>
  seconds === null ? null : Number((seconds / HOUR_SECONDS).toFixed(2));

/** Fields with what is set now; undefined: nothing is. */
export const toFields = (bounds: QuotaBounds | undefined): QuotaFields => ({
  hours: hoursOf(bounds?.processor_seconds_month ?? null) ?? '',
  gigabytes: bounds?.stored_bytes == null ? '' : bounds.stored_bytes / GIGABYTE,
  tasks: bounds?.running_tasks ?? '',
});

interface Props {
  readonly value: QuotaFields;
  readonly onChange: (value: QuotaFields) => void;
}

/** Three numbers that bind a user. */
export function QuotaInputs({ value, onChange }: Props) {
  const input = (name: keyof QuotaFields, decimals: number) => (
    <NumberInput
      label={T[name]}
      min={0}
      decimalScale={decimals}
      allowDecimal={decimals > 0}
      value={value[name]}
      onChange={(changed) => onChange({ ...value, [name]: changed })}
    />
  );
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {T.lead}
      </Text>
      {input('hours', 2)}
      {input('gigabytes', 3)}
      {input('tasks', 0)}
    </Stack>
  );
}
