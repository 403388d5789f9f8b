import { Checkbox, Group, Input, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import classes from '../editor.module.css';
import { useEditor, useEditorState, useProblemsAt, useValue } from '../editor-context.js';
import { type NumberRules, readNumber, writeNumber } from '../model/number-text.js';
import type { Problem } from '../model/problems.js';

const T = EDITOR_TEXTS;

/** Problems as a field says them. */
export function words(problems: readonly Problem[]): ReactNode {
  if (problems.length === 0) return undefined;
  return problems.map(({ message, simulators }) => (
    <span key={message} className={classes.fault} data-problem>
      {simulators === undefined ? message : T.refusedBy(simulators.join(', '), message)}
    </span>
  ));
}

interface FieldProps {
  readonly pointer: string;
  readonly label: string;
  readonly description?: string;
}

interface NumberFieldProps extends FieldProps, NumberRules {
  readonly unit?: string;
  /** By how much the arrow keys change it. */
  readonly step?: number;
  /** What stands in the field where the project says nothing. */
  readonly otherwise?: number;
  /** Instead of putting the number at the pointer. */
  readonly write?: (value: number | undefined) => void;
  /** Instead of what is at the pointer. */
  readonly value?: number | undefined;
  readonly disabled?: boolean;
  /** One of several numbers of a thing. */
  readonly isMinor?: boolean;
}

/** A number with its unit. A text that is no number stays, with what is wrong with it, and the project keeps its last number. */
export function NumberField({ pointer, label, unit, step = 1, otherwise, write, disabled, ...rest }: NumberFieldProps) {
  const { store } = useEditor();
  const stored = useValue(pointer);
  const draft = useEditorState(({ drafts }) => drafts.get(pointer));
  const problems = useProblemsAt(pointer);
  const [typed, setTyped] = useState<string | undefined>();
  const value = 'value' in rest ? rest.value : (stored ?? otherwise);
  const rules = { isInteger: rest.isInteger, isOptional: rest.isOptional };
  const put = (number: number | undefined) =>
    write === undefined ? store.setAtPointer(pointer, number) : write(number);
  const type = (text: string) => {
    setTyped(text);
    const read = readNumber(text, rules);
    store.setDraft(pointer, 'fault' in read ? text : undefined);
    if (!('fault' in read)) put(read.value);
  };
  const stepBy = (event: KeyboardEvent) => {
    const sign = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (sign === 0 || typeof value !== 'number') return;
    event.preventDefault();
    setTyped(undefined);
    store.setDraft(pointer, undefined);
    put(Number((value + sign * step).toPrecision(12)));
  };
  const read = draft === undefined ? undefined : readNumber(draft, rules);
  const fault = read !== undefined && 'fault' in read ? T.faults[read.fault] : undefined;
  return (
    <TextInput
      label={label}
      labelProps={rest.isMinor === true ? { fw: 400, fz: 'xs', c: 'dimmed' } : undefined}
      description={rest.description}
      size="sm"
      inputMode={rest.isInteger === true ? 'numeric' : 'decimal'}
      autoComplete="off"
      disabled={disabled}
      value={draft ?? typed ?? writeNumber(value)}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => setTyped(undefined)}
      onKeyDown={stepBy}
      rightSection={
        unit === undefined ? undefined : (
          <Text size="xs" c="dimmed" className={classes.unit}>
            {unit}
          </Text>
        )
      }
      rightSectionWidth={unit === undefined ? undefined : 14 + 7 * unit.length}
      error={fault ?? words(problems)}
      data-pointer={pointer}
    />
  );
}

interface VectorFieldProps {
  readonly pointer: string;
  readonly label: string;
  readonly unit?: string;
  readonly step?: number;
  readonly otherwise?: readonly [number, number, number];
  readonly names?: readonly [string, string, string];
}

/** Three numbers of a vector. */
export function VectorField({
  pointer,
  label,
  unit,
  step,
  otherwise = [0, 0, 0],
  names = ['x', 'y', 'z'],
}: VectorFieldProps) {
  const { store } = useEditor();
  const value = useValue(pointer);
  const problems = useProblemsAt(pointer);
  const id = useId();
  const write = (index: number) => (number: number | undefined) => {
    if (Array.isArray(value)) store.setAtPointer(`${pointer}/${index}`, number);
    else
      store.setAtPointer(
        pointer,
        otherwise.map((one, i) => (i === index ? number : one)),
      );
  };
  return (
    <div role="group" aria-labelledby={id}>
      <Text size="sm" fw={600} id={id} mb={2}>
        {unit === undefined ? label : `${label} / ${unit}`}
      </Text>
      <SimpleGrid cols={3} spacing={6}>
        {names.map((name, i) => (
          <NumberField
            key={name}
            pointer={`${pointer}/${i}`}
            label={name}
            isMinor
            step={step}
            otherwise={otherwise[i]}
            write={write(i)}
          />
        ))}
      </SimpleGrid>
      {problems.length > 0 && <Input.Error mt={4}>{words(problems)}</Input.Error>}
    </div>
  );
}

/** A text. */
export function TextField({
  pointer,
  label,
  description,
  write,
}: FieldProps & { readonly write?: (text: string) => void }) {
  const { store } = useEditor();
  const value = useValue(pointer);
  const problems = useProblemsAt(pointer);
  return (
    <TextInput
      label={label}
      description={description}
      size="sm"
      maxLength={256}
      autoComplete="off"
      value={typeof value === 'string' || typeof value === 'number' ? String(value) : ''}
      onChange={(event) =>
        write === undefined ? store.setAtPointer(pointer, event.currentTarget.value) : write(event.currentTarget.value)
      }
      error={words(problems)}
      data-pointer={pointer}
    />
  );
}

interface ChoiceFieldProps extends FieldProps {
  readonly data: readonly { readonly value: string; readonly label: string; readonly disabled?: boolean }[];
  readonly otherwise?: string;
  readonly write?: (value: string) => void;
  readonly value?: string;
  readonly isSearchable?: boolean;
}

/** One of several; what the project has and the list does not is shown as it is. */
export function ChoiceField({
  pointer,
  label,
  description,
  data,
  otherwise,
  write,
  isSearchable = false,
  ...rest
}: ChoiceFieldProps) {
  const { store } = useEditor();
  const stored = useValue(pointer);
  const problems = useProblemsAt(pointer);
  const value = rest.value ?? (typeof stored === 'string' ? stored : (otherwise ?? ''));
  const options = data.some((one) => one.value === value)
    ? data
    : [...data, { value, label: value === '' ? '–' : value }];
  return (
    <Select
      label={label}
      description={description}
      size="sm"
      data={[...options]}
      value={value}
      allowDeselect={false}
      searchable={isSearchable}
      onChange={(chosen) => {
        if (chosen === null) return;
        if (write === undefined) store.setAtPointer(pointer, chosen);
        else write(chosen);
      }}
      error={words(problems)}
      data-pointer={pointer}
    />
  );
}

/** Yes or no. */
export function SwitchField({
  pointer,
  label,
  description,
  otherwise = false,
}: FieldProps & { readonly otherwise?: boolean }) {
  const { store } = useEditor();
  const value = useValue(pointer);
  const problems = useProblemsAt(pointer);
  return (
    <Checkbox
      label={label}
      description={description}
      checked={typeof value === 'boolean' ? value : otherwise}
      onChange={(event) => store.setAtPointer(pointer, event.currentTarget.checked)}
      error={words(problems)}
      data-pointer={pointer}
    />
  );
}

/** Problems at a place that has no field of its own. */
export function PlaceProblems({ pointer }: { readonly pointer: string }) {
  const problems = useProblemsAt(pointer);
  if (problems.length === 0) return undefined;
  return <Input.Error>{words(problems)}</Input.Error>;
}

/** Fields side by side, as many as there is room for. */
export function Row({
  children,
  isFirstWide = false,
}: {
  readonly children: ReactNode;
  readonly isFirstWide?: boolean;
}) {
  return (
    <Group
      gap="xs"
      align="flex-start"
      grow
      wrap="wrap"
      preventGrowOverflow={false}
      className={classes.row}
      data-first-wide={isFirstWide}
    >
      {children}
    </Group>
  );
}
