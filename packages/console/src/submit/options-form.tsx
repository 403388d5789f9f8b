import { Checkbox, NumberInput, SegmentedControl, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Problem } from '../api/client.js';
import { clustersQuery, simulatorsQuery, userQuery } from '../api/queries.js';
import { GroupChoice } from '../people/group-choice.js';
import { TEXTS } from '../texts.js';
import { ClusterForm } from './cluster-form.js';
import { type Project, withBeam } from './project.js';
import { engineWords, SIMULATOR_NAMES } from './simulators.js';
import type { Options, Source } from './submission.js';
import { TargetForm } from './target-form.js';

const T = TEXTS.submit;
const TASKS_MAX = 1_000;

interface OptionsProps {
  readonly options: Options;
  readonly onChange: (options: Options) => void;
  readonly source: Source;
  readonly onSource: (source: Source) => void;
  /** That the service found in the last submission. */
  readonly faults: Problem['fields'];
}

/** A number to edit, whatever a file holds in its place. */
const numberOf = (value: unknown): number | '' => (typeof value === 'number' ? value : '');

/** How a job shall run: what this deployment offers, and nothing else. */
export function OptionsForm({ options, onChange, source, onSource, faults }: OptionsProps) {
  const simulators = useQuery(simulatorsQuery);
  const set = (change: Partial<Options>) => onChange({ ...options, ...change });
  const choices = (simulators.data?.simulators ?? []).map(({ sim_type: name, available }) => ({
    value: name,
    label: `${name} – ${SIMULATOR_NAMES[name]}`,
    disabled: !available,
  }));
  return (
    <>
      <TextInput
        label={T.jobTitle}
        value={options.title}
        maxLength={256}
        onChange={(e) => set({ title: e.currentTarget.value })}
      />
      {source.kind === 'editor' && <BeamFields project={source.project} onSource={onSource} />}
      <Select
        label={T.simulator}
        description={engineWords(simulators.data?.simulators.find((one) => one.sim_type === options.simulator)?.engine)}
        allowDeselect={false}
        data={choices}
        value={options.simulator}
        onChange={(value) => value !== null && set({ simulator: value })}
      />
      <PlatformChoice options={options} set={set} faults={faults} />
      <SimpleGrid cols={2}>
        <NumberInput
          label={T.tasks}
          min={1}
          max={TASKS_MAX}
          allowDecimal={false}
          value={options.tasks}
          onChange={(value) => typeof value === 'number' && set({ tasks: value })}
        />
        <TextInput
          label={T.seed}
          inputMode="numeric"
          pattern="[0-9]{1,20}"
          value={options.seed}
          onChange={(e) => set({ seed: e.currentTarget.value })}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt={-8}>
        {T.seedHint}
      </Text>
      {source.kind === 'editor' && (
        <TargetForm
          project={source.project}
          target={options.target}
          onChange={(target) => set({ target })}
          faults={faults}
        />
      )}
      <GroupChoice groupId={options.groupId} onChange={(groupId) => set({ groupId })} />
      <Checkbox
        label={T.omit}
        checked={options.isOmitting}
        onChange={(e) => set({ isOmitting: e.currentTarget.checked })}
      />
    </>
  );
}

interface BeamProps {
  readonly project: Project;
  readonly onSource: (source: Source) => void;
}

/** What of the beam is changed most often. */
function BeamFields({ project, onSource }: BeamProps) {
  const { beam } = project;
  const set = (change: { energy?: number; numberOfParticles?: number }) =>
    onSource({ kind: 'editor', project: withBeam(project, change) });
  return (
    <SimpleGrid cols={2}>
      <NumberInput
        label={`${T.energy} / ${beam.energyUnit ?? 'MeV'}`}
        min={0}
        value={numberOf(beam.energy)}
        onChange={(value) => typeof value === 'number' && set({ energy: value })}
      />
      <NumberInput
        label={T.primaries}
        min={1}
        allowDecimal={false}
        thousandSeparator=" "
        value={numberOf(beam.numberOfParticles)}
        onChange={(value) => typeof value === 'number' && set({ numberOfParticles: value })}
      />
    </SimpleGrid>
  );
}

interface PlatformProps {
  readonly options: Options;
  readonly set: (change: Partial<Options>) => void;
  readonly faults: Problem['fields'];
}

export function PlatformChoice({ options, set, faults }: PlatformProps) {
  const user = useQuery(userQuery);
  const isSso = user.data?.source === 'sso';
  const clusters = useQuery({ ...clustersQuery, enabled: isSso });
  const names = clusters.data?.clusters ?? [];
  if (names.length === 0) return undefined;
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={T.platform}
        data={[
          { value: 'direct', label: T.direct },
          { value: 'batch', label: T.batch },
        ]}
        value={options.platform}
        onChange={(value) => set({ platform: value === 'batch' ? 'batch' : 'direct' })}
      />
      {options.platform === 'batch' && <ClusterForm clusters={names} choice={options} onChange={set} faults={faults} />}
    </>
  );
}
