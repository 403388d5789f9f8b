import {
  Alert,
  Button,
  Card,
  Container,
  Grid,
  Group,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import type { Output } from '../api/client.js';
import { inputsQuery, queryClient, templateQuery } from '../api/queries.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { useKept } from '../shell/use-kept.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { Estimate } from '../submit/estimate.js';
import { Start, Unreadable } from '../submit/new-job-page.js';
import { OptionsForm } from '../submit/options-form.js';
import { type Dropped, isProject, type Project, titleOf } from '../submit/project.js';
import { ProjectSummary } from '../submit/project-summary.js';
import { bodyOf, estimateOf, initialOptions, type Options, type Submission, submitJob } from '../submit/submission.js';
import { TemplateParameters } from '../templates/template-parameters.js';
import { SWEEP_TEXTS as T } from '../texts/sweeps.js';
import { TEXTS } from '../texts.js';
import { faultOf, type Parameter, parametersOf, templateParametersOf, withValue } from './parameters.js';
import { commonTitle, writeSweepTitle } from './sweep-title.js';
import { valuesWords } from './sweeps-page.js';
import { readValues } from './values.js';

/** From a project, a parameter and its values to a job for each of them. */
export function NewSweepPage() {
  const { from, template: name } = useSearch({ from: '/sweeps/new' });
  const navigate = useNavigate();
  const [source, setSource] = useKept<Dropped | undefined>('source', () => undefined);
  usePageTitle(T.create);
  const earlier = useQuery({ ...inputsQuery(from ?? ''), enabled: from !== undefined });
  useEffect(() => {
    if (earlier.data === undefined || source !== undefined) return;
    const { input_type: kind, input } = earlier.data;
    setSource(kind === 'editor' && isProject(input) ? { kind, project: input } : { kind: 'files', files: {} });
  }, [earlier.data]);
  const template = useQuery({ ...templateQuery(name ?? ''), enabled: name !== undefined });
  useEffect(() => {
    const made = template.data?.project;
    if (source === undefined && isProject(made)) setSource({ kind: 'editor', project: made });
  }, [template.data, source]);
  const isWaiting =
    source === undefined && ((from !== undefined && earlier.isPending) || (name !== undefined && template.isPending));
  const begin = () => {
    setSource(undefined);
    void navigate({ to: '/sweeps/new', search: {} });
  };
  const project = source?.kind === 'editor' ? source.project : undefined;
  return (
    <Container fluid maw={1900} py="lg">
      <Stack>
        <Group justify="space-between">
          <Title order={1} size="h2">
            {T.create}
          </Title>
          {project !== undefined && (
            <Button variant="default" size="xs" onClick={begin}>
              {TEXTS.submit.another}
            </Button>
          )}
        </Group>
        {earlier.isError && <ProblemNotice error={earlier.error} />}
        {name !== undefined && template.isError && <ProblemNotice error={template.error} />}
        {isWaiting && <Skeleton h={400} />}
        {source?.kind === 'fault' && <Unreadable fault={source} />}
        {source?.kind === 'files' && (
          <Alert color="orange" variant="light" role="alert">
            {T.onlyProjects}
          </Alert>
        )}
        {!isWaiting && project === undefined && <Start onSource={setSource} to="/sweeps/new" />}
        {project !== undefined && (
          <SweepForm
            project={project}
            template={name === undefined ? undefined : template.data}
            onProject={(next) => setSource({ kind: 'editor', project: next })}
          />
        )}
      </Stack>
    </Container>
  );
}

type Template = Output<'GET', '/templates/template'>;

/** A number of the project that an address names, or the first one. */
const pathOf = (parameters: readonly Parameter[], wanted: string | undefined): string =>
  (parameters.find(({ path }) => path === wanted) ?? parameters[0])?.path ?? '';

function optionsOf(project: Project, title: string | undefined): Options {
  return { ...initialOptions(project.beam.numberOfParticles), title: title ?? titleOf(project) };
}

interface FormProps {
  readonly project: Project;
  /** That the project was made from. */
  readonly template: Template | undefined;
  readonly onProject: (project: Project) => void;
}

function SweepForm({ project, template, onProject }: FormProps) {
  const navigate = useNavigate();
  const parameters = useMemo(
    () => [...(template ? templateParametersOf(template.parameters, project) : []), ...parametersOf(project)],
    [project, template],
  );
  const search = useSearch({ from: '/sweeps/new' });
  const [path, setPath] = useKept('path', () => pathOf(parameters, search.over));
  const [text, setText] = useKept('values', () => '');
  const [options, setOptions] = useKept<Options>('options', () => optionsOf(project, search.title));
  const [submitted, setSubmitted] = useState<ReadonlySet<string>>(new Set());
  const parameter = parameters.find((one) => one.path === path) ?? parameters[0];
  const { values } = valuesOf(parameter, text);
  const title = commonTitle(options.title.trim() || titleOf(project));
  const left = values.filter((value) => !submitted.has(`${path}=${value}`));
  const done = values.length - left.length;
  const bodyFor = (value: number) => {
    const swept = { name: path, unit: parameter?.unit ?? '', isOfTemplate: parameter?.template !== undefined };
    const own = { ...options, title: writeSweepTitle(title, [swept], [value]) };
    const changed = parameter === undefined ? project : withValue(project, parameter, value);
    return bodyOf({ kind: 'editor', project: changed }, own);
  };
  const [sweepId] = useState(newSweepId);
  const submit = useMutation({
    mutationFn: async () => {
      for (const value of left) {
        await submitJob({ ...bodyFor(value), sweep: { id: sweepId, size: values.length } });
        setSubmitted((before) => new Set([...before, `${path}=${value}`]));
      }
      await queryClient.invalidateQueries({ queryKey: ['simulations'] });
    },
    onSuccess: () => navigate({ to: '/sweeps/show', search: { title, over: path } }),
  });
  const [first] = values;
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          <ParameterCard parameters={parameters} path={path} onPath={setPath} text={text} onText={setText} />
          {template !== undefined && <TemplateParameters template={template} project={project} onProject={onProject} />}
          <ProjectSummary project={project} faults={[]} />
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
                source={{ kind: 'editor', project }}
                onSource={(next) => next.kind === 'editor' && onProject(next.project)}
                faults={[]}
              />
              {submit.isError && (
                <>
                  <Text size="sm">{T.submitted(done, values.length)}</Text>
                  <ProblemNotice error={submit.error} />
                </>
              )}
              {first !== undefined && <EstimateOfOne body={bodyFor(first)} />}
              <Button type="submit" size="md" loading={submit.isPending} disabled={left.length === 0}>
                {done > 0 ? T.rest(left.length) : T.submit(values.length)}
              </Button>
            </Stack>
          </form>
        </Card>
      </Grid.Col>
    </Grid>
  );
}

const SWEEP_ID_BYTES = 12;

/** The jobs that are submitted together have one. */
const newSweepId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(SWEEP_ID_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Values that are typed for a parameter, or why there are none. */
function valuesOf(parameter: Parameter | undefined, text: string) {
  const read = readValues(text);
  if ('fault' in read) return { values: [], fault: read.fault };
  const fault = parameter && faultOf(parameter, read.values);
  return { values: fault === undefined ? read.values : [], fault };
}

function EstimateOfOne({ body }: { readonly body: Submission }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {T.estimateOfOne}
      </Text>
      <Estimate body={estimateOf(body)} />
    </div>
  );
}

interface ParameterProps {
  readonly parameters: readonly Parameter[];
  readonly path: string;
  readonly onPath: (path: string) => void;
  /** Values, as they are typed. */
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Which number of the project is changed, and to what. */
function ParameterCard({ parameters, path, onPath, text, onText }: ParameterProps) {
  const parameter = parameters.find((one) => one.path === path);
  const { values, fault } = valuesOf(parameter, text);
  const groups = [...new Set(parameters.map(({ group }) => group))].map((group) => ({
    group,
    items: parameters.filter((one) => one.group === group).map((one) => ({ value: one.path, label: one.label })),
  }));
  return (
    <Card withBorder>
      <Stack>
        <Select
          label={T.parameter}
          description={T.parameterHint}
          data={groups}
          value={path}
          onChange={(value) => onPath(value ?? path)}
          searchable
          allowDeselect={false}
          maxDropdownHeight={360}
        />
        <Text size="xs" c="dimmed" ff="monospace" mt={-10}>
          {path}
        </Text>
        <TextInput
          label={parameter?.unit ? `${T.values} / ${parameter.unit}` : T.values}
          description={T.valuesHint}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          error={text === '' ? undefined : fault}
        />
        <Text size="sm" role="status" data-count={values.length}>
          {values.length > 0
            ? T.job(values.length, `${valuesWords(values)}${parameter?.unit ? ` ${parameter.unit}` : ''}`)
            : parameter && T.now(`${parameter.value}${parameter.unit === '' ? '' : ` ${parameter.unit}`}`)}
        </Text>
      </Stack>
    </Card>
  );
}
