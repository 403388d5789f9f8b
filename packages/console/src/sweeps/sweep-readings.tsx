import { Button, Card, Group, Select, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { figure } from '../format.js';
import { CurveFigure } from '../results/figure/curve-figure.js';
import type { FigureSource } from '../results/figure/figure-source.js';
import type { Chart, Series } from '../results/plot/chart.js';
import { colorOf } from '../results/plot/curves-chart.js';
import { LinePlot } from '../results/plot/line-plot.js';
import { measured } from '../results/plot/ticks.js';
import type { SentReading } from '../results/readings.js';
import { saveText } from '../results/save.js';
import { Defined } from '../shell/defined.js';
import { TextLink } from '../shell/links.js';
import { StateBadge } from '../shell/state-badge.js';
import { SWEEP_TEXTS as T } from '../texts/sweeps.js';
import { TEXTS } from '../texts.js';
import { type Fit, type FitKind, type FitPoint, fit } from './fit.js';
import { sweepAsCsv } from './sweep-csv.js';
import type { Sweep, SweepJob } from './sweep-title.js';
import { useSweepView } from './use-sweep-view.js';

/** A job of a sweep, and what is read off its curve. */
export interface SweepRow extends SweepJob {
  readonly readings: readonly SentReading[];
}

interface ReadingsProps {
  readonly sweep: Sweep;
  readonly rows: readonly SweepRow[];
  readonly parameter: { readonly label: string; readonly unit: string };
  readonly source: FigureSource;
}

const NAMES: Readonly<Record<string, string>> = TEXTS.results.readings;
const nameOf = (name: string): string => NAMES[name] ?? name;
/** What a sweep is mostly for, before the others. */
const PREFERRED = ['R80', 'R50', 'FWHM', 'mean'];

/** A table of readings against the parameter, one of them as points with error bars, and a fit through these. */
export function SweepReadings({ sweep, rows, parameter, source }: ReadingsProps) {
  const { search } = useSweepView();
  const kinds = useMemo(
    () => [...new Map(rows.flatMap(({ readings }) => readings.map((one) => [one.name, one] as const))).values()],
    [rows],
  );
  const names = kinds.map(({ name }) => name);
  const reading = names.includes(search.reading ?? '')
    ? search.reading
    : (PREFERRED.find((name) => names.includes(name)) ?? names[0]);
  const unit = kinds.find(({ name }) => name === reading)?.unit ?? '';
  const points = useMemo(() => pointsOf(rows, reading), [rows, reading]);
  const kind = search.fit ?? 'none';
  const fitted = useMemo(() => (kind === 'none' ? undefined : fit(kind, points)), [kind, points]);
  const chart = useMemo(
    () =>
      readingChart(points, fitted, {
        parameter,
        reading: nameOf(reading ?? ''),
        unit,
        isLogarithmic: search.logfit === true,
      }),
    [points, fitted, parameter.label, parameter.unit, reading, unit, search.logfit],
  );
  if (reading === undefined) {
    const isAnyEnded = rows.some(({ readings }) => readings.length > 0);
    return <Text c="dimmed">{isAnyEnded ? T.waiting : T.noReadings}</Text>;
  }
  return (
    <Card withBorder>
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h5">
            {T.readings}
          </Title>
          <Button
            size="xs"
            variant="light"
            onClick={() =>
              saveText(
                `${source.nameOf('readings')}.csv`,
                sweepAsCsv(sweep, rows, parameter.unit, source.about),
                'text/csv',
              )
            }
          >
            {T.csv}
          </Button>
        </Group>
        <ReadingTable sweep={sweep} rows={rows} kinds={kinds} parameter={parameter} />
        {sweep.names.length === 1 && (
          <>
            <Group align="flex-end" justify="space-between">
              <ReadingChoice kinds={kinds} reading={reading} />
              <CurveFigure
                chart={chart}
                source={source}
                part={reading}
                of={T.against(nameOf(reading), parameter.label)}
              />
            </Group>
            <LinePlot chart={chart} height="clamp(240px, 38vh, 800px)" />
            {kind !== 'none' && <FitWords kind={kind} fitted={fitted} unit={unit} parameterUnit={parameter.unit} />}
          </>
        )}
      </Stack>
    </Card>
  );
}

interface ChoiceProps {
  readonly kinds: readonly SentReading[];
  readonly reading: string;
}

/** Which reading is drawn against the parameter, how, and what is fitted through it. */
function ReadingChoice({ kinds, reading }: ChoiceProps) {
  const { search, set } = useSweepView();
  return (
    <Group align="flex-end">
      <Select
        label={T.reading}
        data={kinds.map(({ name }) => ({ value: name, label: nameOf(name) }))}
        value={reading}
        onChange={(value) => set({ reading: value ?? undefined })}
        allowDeselect={false}
        w={190}
      />
      <Select
        label={T.fit}
        data={Object.entries(T.fits).map(([value, label]) => ({ value, label }))}
        value={search.fit ?? 'none'}
        onChange={(value) => set({ fit: value === 'line' || value === 'power' ? value : undefined })}
        allowDeselect={false}
        w={150}
      />
      <Switch
        label={T.logAxes}
        checked={search.logfit === true}
        onChange={(event) => set({ logfit: event.currentTarget.checked || undefined })}
        mb={8}
      />
    </Group>
  );
}

function pointsOf(rows: readonly SweepRow[], reading: string | undefined): FitPoint[] {
  return rows.flatMap(({ values: [x], readings }) => {
    const found = readings.find(({ name }) => name === reading);
    return typeof x === 'number' && found !== undefined ? [{ x, y: found.value, error: found.error }] : [];
  });
}

interface ChartWords {
  readonly parameter: ReadingsProps['parameter'];
  readonly reading: string;
  readonly unit: string;
  readonly isLogarithmic: boolean;
}

const FIT_POINTS = 200;

function readingChart(points: readonly FitPoint[], fitted: Fit | undefined, words: ChartWords): Chart {
  const xs = points.map(({ x }) => x);
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const along = Array.from({ length: FIT_POINTS }, (_, i) => low + (i / (FIT_POINTS - 1)) * (high - low));
  const curve: Series[] =
    fitted === undefined
      ? []
      : [
          {
            label: `${T.fits[fitted.kind]}: ${T.formulas[fitted.kind]}`,
            x: along,
            y: along.map(fitted.at),
            errors: [],
            color: colorOf(1),
            isRight: false,
            form: 'line',
          },
        ];
  const measuredPoints: Series = {
    label: words.reading,
    x: xs,
    y: points.map(({ y }) => y),
    errors: points.map(({ error }) => error),
    color: colorOf(0),
    isRight: false,
    errorsAs: 'band',
    form: 'points',
  };
  const { isLogarithmic } = words;
  return {
    title: '',
    x: { name: words.parameter.label, unit: words.parameter.unit, isLogarithmic, range: undefined },
    y: { name: words.reading, unit: words.unit, isLogarithmic, range: undefined },
    right: undefined,
    series: points.length === 0 ? [] : [...curve, measuredPoints],
    levels: [],
  };
}

interface TableProps extends Pick<ReadingsProps, 'sweep' | 'rows' | 'parameter'> {
  readonly kinds: readonly SentReading[];
}

function ReadingTable({ sweep, rows, kinds, parameter }: TableProps) {
  const heads = sweep.names.length === 1 ? [withUnit(parameter.label, parameter.unit)] : sweep.names;
  return (
    <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
      <Table verticalSpacing={6} fz="sm" striped data-readings>
        <Table.Thead>
          <Table.Tr>
            {heads.map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
            {kinds.map(({ name, unit, definition }) => (
              <Table.Th key={name}>
                <Defined definition={definition}>{withUnit(nameOf(name), unit)}</Defined>
              </Table.Th>
            ))}
            <Table.Th>{T.state}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ values, job, readings }) => (
            <Table.Tr key={job.job_id} data-value={values.join()}>
              {values.map((value, i) => (
                <Table.Td key={sweep.names[i]}>
                  <TextLink to="/jobs/$jobId/results" params={{ jobId: job.job_id }} size="sm">
                    {value}
                  </TextLink>
                </Table.Td>
              ))}
              {kinds.map(({ name }) => {
                const found = readings.find((one) => one.name === name);
                return (
                  <Table.Td
                    key={name}
                    data-reading={name}
                    style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
                  >
                    {found === undefined ? '–' : wordsOf(found)}
                  </Table.Td>
                );
              })}
              <Table.Td miw={120}>
                <StateBadge state={job.job_state} size="sm" />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** A reading without its unit, which stands above it; an error as a share in percent. */
const wordsOf = ({ name, value, error }: SentReading): string =>
  name === 'mean_error' ? `${figure(100 * value, 2)} %` : measured(value, error, '');

const withUnit = (name: string, unit: string): string => (unit === '' ? name : `${name} / ${unit}`);

interface FitProps {
  readonly kind: FitKind;
  readonly fitted: Fit | undefined;
  readonly unit: string;
  readonly parameterUnit: string;
}

/** The parameters of a fit with their errors and units, and how well it fits. */
function FitWords({ kind, fitted, unit, parameterUnit }: FitProps) {
  if (fitted === undefined) return <Text size="sm">{T.noFit}</Text>;
  const slope = parameterUnit === '' ? unit : `${unit === '' ? '1' : unit}/${parameterUnit}`;
  const units = kind === 'line' ? [unit, slope] : [parameterUnit === '' ? unit : `${unit}/${parameterUnit}ᵖ`, ''];
  const { chiSquare, degreesOfFreedom, isWeighted } = fitted;
  const isScaled = isWeighted && chiSquare > degreesOfFreedom;
  return (
    <div role="status" data-fit={kind}>
      <Text fw={600} size="sm">
        {T.formulas[kind]},{' '}
        {fitted.parameters
          .map((value, i) => `${T.parameters[kind][i]} = ${measured(value, fitted.errors[i], units[i] ?? '')}`)
          .join(', ')}
      </Text>
      <Text size="sm" c="dimmed">
        {isWeighted ? T.chiSquare(figure(chiSquare, 3), degreesOfFreedom) : T.unweighted}
        {isScaled && `. ${T.scaled}`}
      </Text>
    </div>
  );
}
