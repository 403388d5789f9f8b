import { Alert, Badge, Card, Container, Group, Progress, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLiveJob } from '../api/live.js';
import { type Estimators, estimatorsQuery, inputsQuery, isFinal, pageQuery, type ResultPage } from '../api/queries.js';
import { TellMe } from '../notify/tell-me.js';
import { fileName } from '../results/figure/chart-csv.js';
import { CurveFigure } from '../results/figure/curve-figure.js';
import type { FigureSource } from '../results/figure/figure-source.js';
import { dimensionsOf } from '../results/overlays.js';
import { toCurve, toGrid } from '../results/page-data.js';
import { readZoom, toChart, writeZoom } from '../results/plot/curves-chart.js';
import { LinePlot } from '../results/plot/line-plot.js';
import { UnitChoice, useUnits } from '../results/units.js';
import { versionOf } from '../results/use-overlays.js';
import { ButtonLink, TextLink } from '../shell/links.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { STATE_COLORS } from '../shell/state-badge.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { isProject } from '../submit/project.js';
import { SWEEP_TEXTS as T } from '../texts/sweeps.js';
import { TEXTS } from '../texts.js';
import { familyColor } from './family-color.js';
import { parameterOf } from './parameters.js';
import { SweepReadings, type SweepRow } from './sweep-readings.js';
import { keyOf, type Sweep, type SweepJob } from './sweep-title.js';
import { useSweepView } from './use-sweep-view.js';
import { useSweeps } from './use-sweeps.js';

/** Jobs of a sweep: their curves as a family, and what is read off them against the parameter. */
export function SweepPage() {
  const { search } = useSweepView();
  const wanted = { title: search.title ?? '', names: (search.over ?? '').split(',') };
  const { sweeps, isComplete, error, read, total } = useSweeps();
  const sweep = sweeps.find((one) => keyOf(one) === keyOf(wanted));
  usePageTitle(wanted.title);
  return (
    <Container fluid py="lg" px="md" maw={1800}>
      <Stack>
        <Group justify="space-between">
          <Title order={1} size="h2">
            {wanted.title}
          </Title>
          <TextLink to="/sweeps" size="sm">
            {T.all}
          </TextLink>
        </Group>
        {error !== null && <ProblemNotice error={error} />}
        {sweep === undefined && !isComplete && error === null && (
          <>
            <Text size="sm" c="dimmed" role="status">
              {T.searching(read, total)}
            </Text>
            <Skeleton h={320} />
          </>
        )}
        {sweep === undefined && isComplete && (
          <Alert color="orange" variant="light" role="alert">
            {T.missing}
          </Alert>
        )}
        {sweep !== undefined && <Shown sweep={sweep} />}
      </Stack>
    </Container>
  );
}

function Shown({ sweep }: { readonly sweep: Sweep }) {
  const [first] = sweep.jobs;
  const inputs = useQuery({ ...inputsQuery(first?.job.job_id ?? ''), enabled: first !== undefined });
  const project = inputs.data?.input_type === 'editor' && isProject(inputs.data.input) ? inputs.data.input : undefined;
  const known = parameterOf(project, sweep.names[0] ?? '');
  const { label, unit } = { ...known, unit: known.unit || (sweep.units[0] ?? '') };
  const ended = sweep.jobs.filter(({ job }) => isFinal(job.job_state)).length;
  const lists = useQueries({
    queries: sweep.jobs.map(({ job }) => ({
      ...estimatorsQuery(job.job_id),
      retry: false,
      enabled: isFinal(job.job_state), // before, there is nothing, and nobody would ask again
    })),
  });
  const list = lists.find(({ data }) => (data?.estimators.length ?? 0) > 0)?.data;
  return (
    <>
      <Group justify="space-between">
        <Text size="sm">
          {T.parameter}: <b>{sweep.names.length > 1 ? sweep.names.join(', ') : label}</b>
        </Text>
        {known.label !== sweep.names[0] && (
          <ButtonLink
            to="/sweeps/new"
            search={{ from: first?.job.job_id, title: sweep.title, over: sweep.names[0] }}
            variant="default"
            size="xs"
          >
            {T.add}
          </ButtonLink>
        )}
      </Group>
      <Group gap="sm" role="status">
        <Progress value={(100 * ended) / sweep.jobs.length} flex={1} aria-label={T.jobs(ended, sweep.jobs.length)} />
        <Text size="sm" c="dimmed" data-ended={ended}>
          {T.jobs(ended, sweep.jobs.length)}
        </Text>
        <TellMeOfSweep sweep={sweep} />
      </Group>
      {list === undefined ? (
        <Alert color="blue" variant="light">
          {T.waiting}
        </Alert>
      ) : (
        <Results sweep={sweep} list={list} parameter={{ label, unit }} />
      )}
      <Jobs sweep={sweep} unit={unit} />
    </>
  );
}

/** Of the jobs that were submitted together, while one of them is open. */
function TellMeOfSweep({ sweep }: { readonly sweep: Sweep }) {
  const open = sweep.jobs.filter(({ job }) => !isFinal(job.job_state));
  const target = open.at(-1)?.job.sweep?.id;
  if (target === undefined) return null;
  const path = `/sweeps/show?${new URLSearchParams({ title: sweep.title, over: sweep.names.join(',') }).toString()}`;
  const pending = open.filter(({ job }) => job.sweep?.id === target).map(({ job }) => job.job_id);
  return <TellMe scope="sweep" target={target} title={sweep.title} path={path} pending={pending} />;
}

/** A job a badge: its value, and its state as its colour. */
function Jobs({ sweep, unit }: { readonly sweep: Sweep; readonly unit: string }) {
  return (
    <Card withBorder>
      <Title order={2} size="h5" mb="sm">
        {TEXTS.jobs.title}
      </Title>
      <Group gap="xs">
        {sweep.jobs.map((one) => (
          <JobLink key={one.job.job_id} of={one} unit={unit} />
        ))}
      </Group>
    </Card>
  );
}

function JobLink({ of: { values, job }, unit }: { readonly of: SweepJob; readonly unit: string }) {
  const live = useLiveJob(job.job_id);
  const state = isFinal(job.job_state) ? job.job_state : (live.state ?? job.job_state);
  return (
    <TextLink to="/jobs/$jobId" params={{ jobId: job.job_id }} size="sm">
      <Badge
        variant="light"
        color={STATE_COLORS[state]}
        tt="none"
        autoContrast
        style={{ cursor: 'pointer' }}
        data-state={state}
      >
        {values.join(', ')} {unit}: {TEXTS.states[state][0]}
      </Badge>
    </TextLink>
  );
}

interface ResultsProps {
  readonly sweep: Sweep;
  /** Of one of the jobs: all have the same. */
  readonly list: Estimators;
  readonly parameter: { readonly label: string; readonly unit: string };
}

function Results({ sweep, list, parameter }: ResultsProps) {
  const { search, set } = useSweepView();
  const pages = list.estimators.flatMap(({ name, pages: own }) =>
    own
      .filter(({ dimensions }) => dimensionsOf(dimensions) === 1)
      .map((page) => ({ estimator: name, page: page.page_number, label: `${name}: ${page.name}`, name: page.name })),
  );
  const chosen =
    pages.find(({ estimator, page }) => estimator === search.estimator && page === search.page) ?? pages[0];
  const results = useQueries({
    queries: sweep.jobs.map(({ job }) => ({
      ...pageQuery({ jobId: job.job_id, estimator: chosen?.estimator ?? '', page: chosen?.page ?? 1 }),
      enabled: chosen !== undefined && isFinal(job.job_state),
      retry: false,
    })),
  });
  const version = versionOf(results);
  const { chosen: units } = useUnits();
  const found = useMemo(
    () => sweep.jobs.map((job, i) => ({ job, page: results[i]?.data ?? undefined })),
    [sweep.jobs, version],
  );
  const chart = useMemo(() => chartOf(found, units, parameter.unit), [found, units, parameter.unit]);
  const zoom = readZoom(search.zoom);
  const drawn = useMemo(
    () => ({
      ...chart,
      x: { ...chart.x, range: zoom?.x },
      y: { ...chart.y, range: zoom?.y, isLogarithmic: search.log === true },
    }),
    [chart, search.zoom, search.log],
  );
  if (chosen === undefined) return <Alert color="blue">{T.noCurve}</Alert>;
  const source: FigureSource = {
    title: `${sweep.title}: ${chosen.name}`,
    nameOf: (...more) => fileName(sweep.title, sweep.names.join('-'), chosen.estimator, chosen.name, ...more),
    about: [`sweep: ${keyOf(sweep)}`, `jobs: ${sweep.jobs.map(({ job }) => job.job_id).join(', ')}`],
  };
  const rows = found.map<SweepRow>(({ job, page }) => ({ ...job, readings: page?.readings ?? [] }));
  return (
    <>
      <Card withBorder>
        <Group justify="space-between" mb="xs" align="flex-end">
          <Group align="flex-end">
            <Select
              label={T.quantity}
              data={pages.map(({ estimator, page, label }) => ({ value: `${estimator} ${page}`, label }))}
              value={`${chosen.estimator} ${chosen.page}`}
              onChange={(value) => {
                const next = pages.find(({ estimator, page }) => `${estimator} ${page}` === value);
                set({ estimator: next?.estimator, page: next?.page, zoom: undefined, reading: undefined });
              }}
              allowDeselect={false}
              w={280}
              maw="100%"
            />
            <UnitChoice unit={chart.y.unit} onChange={() => set({ zoom: undefined })} />
          </Group>
          <CurveFigure chart={drawn} source={source} of={T.curves} />
        </Group>
        <LinePlot chart={drawn} height="clamp(260px, 44vh, 900px)" onZoom={(next) => set({ zoom: writeZoom(next) })} />
      </Card>
      <SweepReadings sweep={sweep} rows={rows} parameter={parameter} source={source} />
    </>
  );
}

interface Found {
  readonly job: SweepJob;
  readonly page: ResultPage | undefined;
}

/** A curve for each job that has one, in colours that go with the parameter. */
function chartOf(found: readonly Found[], units: readonly string[], unit: string) {
  const curves = found.flatMap(({ job: { values }, page }) => {
    const label = `${values.join(', ')}${unit === '' ? '' : ` ${unit}`}`;
    return (page && toCurve(toGrid(page, units), label)) ?? [];
  });
  const chart = toChart(curves, { isLogarithmic: false, hasErrors: true });
  return { ...chart, series: chart.series.map((one, i) => ({ ...one, color: familyColor(i, curves.length) })) };
}
