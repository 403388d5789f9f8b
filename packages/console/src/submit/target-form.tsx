import { Checkbox, NumberInput, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Problem } from '../api/client.js';
import { TEXTS } from '../texts.js';
import { listOf, nameOf, type Project } from './project.js';

const T = TEXTS.submit;
/** The most primaries, unless something else is typed: so many times those of the project, or this number. */
const FACTOR = 10;
const PRIMARIES = 1_000_000;

/** Until when a job shall go on. */
export interface Target {
  readonly estimator: string;
  /** From 1; undefined: all, and the largest error counts. */
  readonly page: number | undefined;
  readonly percent: number;
  readonly primariesMax: number;
}

interface Outputs {
  readonly name: string;
  readonly quantities: readonly string[];
}

/** What a project scores, by the names that its results have. */
function outputsOf(project: Project): Outputs[] {
  return listOf(project.scoringManager?.outputs).map(({ name, quantities }) => ({
    name: nameOf(name),
    quantities: listOf(quantities).map((quantity) => nameOf(quantity.name ?? quantity.keyword)),
  }));
}

/** The target as the service takes it. */
export const targetBody = ({ estimator, page, percent, primariesMax }: Target) => ({
  estimator,
  ...(page === undefined ? {} : { page }),
  relative_error: percent / 100,
  max_primaries: primariesMax,
});

interface TargetProps {
  readonly project: Project;
  readonly target: Target | undefined;
  readonly onChange: (target: Target | undefined) => void;
  readonly faults: Problem['fields'];
}

/** Whether a job goes on until the error of an estimator is small enough, and which. */
export function TargetForm({ project, target, onChange, faults }: TargetProps) {
  const outputs = outputsOf(project);
  const { numberOfParticles: primaries } = project.beam;
  const toggle = (isWanted: boolean) =>
    onChange(
      isWanted
        ? {
            estimator: outputs[0]?.name ?? '',
            page: 1,
            percent: 2,
            primariesMax: typeof primaries === 'number' ? FACTOR * primaries : PRIMARIES,
          }
        : undefined,
    );
  return (
    <Stack gap="sm">
      <Checkbox
        label={T.target}
        description={T.targetHint}
        checked={target !== undefined}
        onChange={(e) => toggle(e.currentTarget.checked)}
      />
      {target !== undefined && <Fields outputs={outputs} target={target} onChange={onChange} faults={faults} />}
    </Stack>
  );
}

interface FieldsProps {
  readonly outputs: readonly Outputs[];
  readonly target: Target;
  readonly onChange: (target: Target) => void;
  readonly faults: Problem['fields'];
}

function Fields({ outputs, target, onChange, faults }: FieldsProps) {
  const set = (change: Partial<Target>) => onChange({ ...target, ...change });
  const faultAt = (name: string) => faults.find(({ field }) => field.endsWith(`target/${name}`))?.message;
  const { quantities = [] } = outputs.find(({ name }) => name === target.estimator) ?? {};
  return (
    <>
      <SimpleGrid cols={2}>
        <Select
          label={T.targetEstimator}
          allowDeselect={false}
          data={[...new Set(outputs.map(({ name }) => name))]}
          value={target.estimator}
          onChange={(value) => set({ estimator: value ?? '', page: 1 })}
          error={faultAt('estimator')}
        />
        <Select
          label={T.targetPage}
          allowDeselect={false}
          data={[
            { value: '0', label: T.allPages },
            ...quantities.map((name, i) => ({ value: String(i + 1), label: name })),
          ]}
          value={String(target.page ?? 0)}
          onChange={(value) => set({ page: Number(value) || undefined })}
          error={faultAt('page')}
        />
        <NumberInput
          label={T.targetError}
          min={0.01}
          max={99}
          step={0.5}
          decimalScale={3}
          value={target.percent}
          onChange={(value) => typeof value === 'number' && set({ percent: value })}
          error={faultAt('relative_error')}
        />
        <NumberInput
          label={T.targetPrimaries}
          min={1}
          allowDecimal={false}
          thousandSeparator=" "
          value={target.primariesMax}
          onChange={(value) => typeof value === 'number' && set({ primariesMax: value })}
          error={faultAt('max_primaries')}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {T.targetMeaning}
      </Text>
    </>
  );
}
