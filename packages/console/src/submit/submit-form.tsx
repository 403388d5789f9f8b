import { Accordion, Alert, Button, Card, Grid, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { call, toProblem } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { useKept } from '../shell/use-kept.js';
import { TEXTS } from '../texts.js';
import { batchOptions } from './cluster-form.js';
import { Estimate } from './estimate.js';
import { type Options, OptionsForm } from './options-form.js';
import { type Dropped, titleOf, titleWithChanges, withChanges } from './project.js';
import { ProjectSummary } from './project-summary.js';
import classes from './submit.module.css';
import { targetBody } from './target-form.js';

const T = TEXTS.submit;
const Preview = lazy(async () => ({ default: (await import('./preview.js')).Preview }));

export type Source = Exclude<Dropped, { kind: 'fault' }>;

interface FormProps {
  readonly source: Source;
  readonly onChange: (source: Source) => void;
  /** What was changed in a template, for the title; undefined: the source is none. */
  readonly changes?: string | undefined;
}

/** What is submitted, whichever platform it runs on. */
export function bodyOf(source: Source, options: Options) {
  return {
    sim_type: options.simulator,
    ntasks: options.tasks,
    input_type: source.kind,
    sim_data: source.kind === 'editor' ? source.project : source.files,
    ...(options.title.trim() === '' ? {} : { title: options.title.trim() }),
    ...(options.seed.trim() === '' ? {} : { seed: options.seed.trim() }),
    ...(options.target === undefined ? {} : { target: targetBody(options.target) }),
    ...(options.isOmitting ? { on_unsupported: 'omit' as const } : {}),
  };
}

/** How a job runs unless somebody chooses otherwise. */
export function initialOptions(source: Source): Omit<Options, 'title'> {
  const wanted = source.kind === 'editor' ? source.project.beam.numberOfParticles : undefined;
  const primaries = typeof wanted === 'number' ? wanted : 1_000;
  return {
    simulator: 'simA',
    platform: 'direct',
    cluster: '',
    schedulerOptions: {},
    tasks: Math.max(1, Math.min(8, primaries)),
    seed: '',
    isOmitting: false,
    target: undefined,
  };
}

/** What will be simulated, what it looks like, and how it shall run. */
export function SubmitForm({ source, onChange, changes }: FormProps) {
  const navigate = useNavigate();
  const [original] = useKept<Source>('original', () => source);
  const proposed = proposeTitle(original, source, changes);
  const [typedTitle, setTypedTitle] = useKept<string | undefined>('title', () => undefined);
  const [chosen, setChosen] = useKept('options', () => initialOptions(source));
  // a title that nobody has typed follows what is changed
  const options = useMemo(() => ({ ...chosen, title: typedTitle ?? proposed }), [chosen, typedTitle, proposed]);
  const setOptions = ({ title, ...others }: Options) => {
    if (title !== options.title) setTypedTitle(title);
    setChosen(others);
  };
  const body = useMemo(() => bodyOf(source, options), [source, options]);
  const batch = useMemo(() => ({ ...body, batch_options: batchOptions(options) }), [body, options]);
  const isBatch = options.platform === 'batch';
  const submit = useMutation({
    mutationFn: async () =>
      isBatch ? call('POST', '/jobs/batch', { body: batch }) : call('POST', '/jobs/direct', { body }),
    onSuccess: async ({ job_id: jobId }) => {
      void queryClient.invalidateQueries({ queryKey: ['simulations'] });
      await navigate({ to: '/jobs/$jobId', params: { jobId } });
    },
  });
  const problem = submit.isError ? toProblem(submit.error) : undefined;
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          {source.kind === 'editor' && (
            <>
              <Card withBorder padding={0}>
                <Suspense fallback={<div className={classes.scene} />}>
                  <Preview project={source.project} />
                </Suspense>
              </Card>
              <ProjectSummary project={source.project} faults={problem?.fields ?? []} />
            </>
          )}
          {source.kind === 'files' && <Deck files={source.files} />}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Card withBorder>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              submit.mutate();
            }}
          >
            <Stack>
              <OptionsForm
                options={options}
                onChange={setOptions}
                source={source}
                onSource={onChange}
                faults={problem?.fields ?? []}
              />
              {submit.isError && <ProblemNotice error={submit.error} />}
              <Estimate body={isBatch ? { ...batch, platform: 'batch' } : body} />
              <Button type="submit" size="md" loading={submit.isPending}>
                {T.run}
              </Button>
            </Stack>
          </form>
        </Card>
      </Grid.Col>
    </Grid>
  );
}

function proposeTitle(original: Source, changed: Source, changes: string | undefined): string {
  if (changed.kind !== 'editor' || original.kind !== 'editor') return '';
  return changes === undefined
    ? titleWithChanges(original.project, changed.project)
    : withChanges(titleOf(changed.project), changes);
}

function Deck({ files }: { readonly files: Readonly<Record<string, string>> }) {
  const names = Object.keys(files);
  if (names.length === 0) return <Alert color="orange">{T.drop}</Alert>;
  return (
    <Accordion variant="contained" defaultValue={names[0] ?? null}>
      {names.map((name) => (
        <Accordion.Item key={name} value={name}>
          <Accordion.Control>{name}</Accordion.Control>
          <Accordion.Panel>
            <Text component="pre" size="xs" ff="monospace" style={{ overflow: 'auto', maxHeight: 300 }}>
              {files[name]?.slice(0, 20_000)}
            </Text>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
