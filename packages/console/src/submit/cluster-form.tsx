import { Accordion, NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { Output, Problem } from '../api/client.js';
import { duration } from '../format.js';
import { TEXTS } from '../texts.js';

const T = TEXTS.submit;

type Cluster = Output<'GET', '/clusters'>['clusters'][number];
type Partition = Cluster['partitions'][number];
/** Values by the names that the cluster offers; what is empty or missing is left to the cluster. */
export type SchedulerOptions = Readonly<Record<string, string>>;

/** Where a batch job goes, and what its scheduler is asked for. */
export interface ClusterChoice {
  /** Empty: the default one. */
  readonly cluster: string;
  readonly schedulerOptions: SchedulerOptions;
}

/** The choice as the service takes it. */
export function batchOptions({ cluster, schedulerOptions }: ClusterChoice) {
  const given = Object.entries(schedulerOptions).filter(([, value]) => value.trim() !== '');
  return {
    ...(cluster === '' ? {} : { cluster_name: cluster }),
    ...(given.length === 0 ? {} : { scheduler_options: Object.fromEntries(given) }),
  };
}

interface ClusterFormProps {
  readonly clusters: readonly Cluster[];
  readonly choice: ClusterChoice;
  readonly onChange: (choice: ClusterChoice) => void;
  /** That the service found in the last submission. */
  readonly faults: Problem['fields'];
}

/** The cluster, and a field for each option that it offers. */
export function ClusterForm({ clusters, choice, onChange, faults }: ClusterFormProps) {
  const cluster =
    clusters.find(({ cluster_name: name }) => name === choice.cluster) ??
    clusters.find((one) => one.default) ??
    clusters[0];
  if (cluster === undefined) return undefined;
  const { schedulerOptions: values } = choice;
  const partition = cluster.partitions.find(({ name }) => name === values.partition) ?? cluster.partitions[0];
  const fields: OptionProps = {
    cluster,
    partition,
    values,
    faultAt: (name) => faults.find(({ field }) => field.endsWith(`scheduler_options/${name}`))?.message,
    onChange: (name, value) => onChange({ ...choice, schedulerOptions: { ...values, [name]: value } }),
  };
  const further = cluster.scheduler_options.filter((name) => !USUAL.includes(name));
  return (
    <Stack gap="sm">
      <Select
        label={T.cluster}
        allowDeselect={false}
        data={clusters.map(({ cluster_name: value, display_name: label, available }) => ({
          value,
          label,
          disabled: !available,
        }))}
        value={cluster.cluster_name}
        // another cluster has other partitions
        onChange={(value) => onChange({ cluster: value ?? '', schedulerOptions: {} })}
        error={faults.find(({ field }) => field.endsWith('cluster_name'))?.message}
      />
      <SimpleGrid cols={{ base: 1, xs: 3, md: 1, lg: 3 }}>
        {USUAL.filter((name) => cluster.scheduler_options.includes(name)).map((name) => (
          <Option key={name} name={name} {...fields} />
        ))}
      </SimpleGrid>
      {further.length > 0 && (
        <Accordion variant="contained" chevronPosition="left">
          <Accordion.Item value="further">
            <Accordion.Control>{T.furtherOptions}</Accordion.Control>
            <Accordion.Panel>
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                {further.map((name) => (
                  <Option key={name} name={name} {...fields} />
                ))}
              </SimpleGrid>
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Stack>
  );
}

/** Of which limits are known; any other one is a text. */
const USUAL = ['partition', 'time', 'mem'];
const LABELS: Readonly<Record<string, string>> = T.optionNames;
const MIB_PER_GIB = 1024;

interface OptionProps {
  readonly cluster: Cluster;
  readonly partition: Partition | undefined;
  readonly values: SchedulerOptions;
  readonly faultAt: (name: string) => string | undefined;
  readonly onChange: (name: string, value: string) => void;
}

function Option({ name, cluster, partition, values, faultAt, onChange }: OptionProps & { readonly name: string }) {
  const value = values[name] ?? '';
  const label = LABELS[name] ?? name;
  const error = faultAt(name);
  if (name === 'partition') {
    return (
      <Select
        label={label}
        allowDeselect={false}
        data={cluster.partitions.map((one) => one.name)}
        value={partition?.name ?? null}
        onChange={(chosen) => onChange(name, chosen ?? '')}
        error={error}
      />
    );
  }
  if (name === 'time' && partition !== undefined) {
    const { wall_time_seconds_max: most, wall_time_seconds_default: usual } = partition;
    return (
      <NumberInput
        label={label}
        description={T.atMost(duration(most))}
        placeholder={String(Math.floor(usual / 60))}
        min={1}
        max={Math.floor(most / 60)}
        allowDecimal={false}
        value={value === '' ? '' : Number(value)}
        onChange={(minutes) => onChange(name, String(minutes))}
        error={error}
      />
    );
  }
  if (name === 'mem' && partition !== undefined) {
    const { memory_mib_max: most, memory_mib_default: usual } = partition;
    return (
      <NumberInput
        label={label}
        description={T.atMost(`${Math.floor((10 * most) / MIB_PER_GIB) / 10} GiB`)}
        placeholder={String(usual)}
        min={1}
        max={most}
        step={512}
        allowDecimal={false}
        value={value === '' ? '' : Number(value)}
        onChange={(mib) => onChange(name, String(mib))}
        error={error}
      />
    );
  }
  return (
    <TextInput
      label={label}
      maxLength={128}
      value={value}
      onChange={(e) => onChange(name, e.currentTarget.value)}
      error={error}
    />
  );
}
