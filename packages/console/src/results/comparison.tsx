import { Group, NumberInput, Stack, Table, Text } from '@mantine/core';
import { formatReading, type ReadingName } from '@tally/merge/readings';
import { useQueries } from '@tanstack/react-query';
import { toProblem } from '../api/client.js';
import { type ComparedPage, comparisonQuery, type PageRef } from '../api/queries.js';
import { figure } from '../format.js';
import { Defined } from '../shell/defined.js';
import { TEXTS } from '../texts.js';
import type { GammaChoice } from './use-gamma.js';
import type { Overlays } from './use-overlays.js';

const T = TEXTS.results;
/** Differences that have columns, of all that the service tells. */
const SHOWN: readonly ReadingName[] = ['R80', 'R90', 'R50', 'Rp', 'FWHM', 'mean'];
const differenceIn = (page: ComparedPage | undefined, wanted: ReadingName) =>
  page?.reading_differences?.find(({ name }) => name === wanted);

interface ComparisonProps {
  /** What others are compared with: differences are the other less this one. */
  readonly own: PageRef;
  readonly overlays: Overlays;
  readonly gamma: GammaChoice;
}

/** How the same page of other jobs differs from this one, as the service finds it: ranges, χ², gamma. */
export function Comparison({ own, overlays: { refs: all, labelOf, isSame }, gamma }: ComparisonProps) {
  const refs = all.filter(isSame);
  const compared = useQueries({ queries: refs.map((ref) => comparisonQuery(own, ref.jobId, gamma.settled)) });
  if (refs.length === 0) return undefined;
  const shown = SHOWN.filter((name) => compared.some(({ data }) => differenceIn(data, name) !== undefined));
  const input = (name: Parameters<GammaChoice['set']>[0], label: string, max: number) => (
    <NumberInput
      size="xs"
      w={140}
      label={label}
      min={0.1}
      max={max}
      value={gamma.criteria[name]}
      onChange={(value) => Number(value) > 0 && gamma.set(name, Number(value))}
    />
  );
  return (
    <Stack gap="xs">
      <Text fw={600} size="sm">
        {T.comparison}
      </Text>
      <Table.ScrollContainer minWidth={520} type="native" tabIndex={0}>
        <Table verticalSpacing={6} fz="sm">
          <Table.Thead>
            <Table.Tr>
              {[T.comparedWith, ...shown.map((name) => `Δ ${T.readings[name]}`), T.chiSquare, T.gamma].map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {compared.map(({ data, error }, i) => (
              <Table.Tr key={refs[i]?.jobId}>
                <Table.Td>{refs[i] && labelOf(refs[i])}</Table.Td>
                <Cells page={data} error={error} shown={shown} />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group gap="sm" align="flex-end">
        {input('dosePercent', T.gammaDose, 100)}
        {input('distanceMm', T.gammaDistance, 1000)}
        {input('cutoffPercent', T.gammaCutoff, 100)}
      </Group>
    </Stack>
  );
}

interface CellsProps {
  readonly page: ComparedPage | undefined;
  readonly error: unknown;
  /** Readings whose differences have a column. */
  readonly shown: readonly ReadingName[];
}

function Cells({ page, error, shown }: CellsProps) {
  const why = error === null ? page?.not_compared : toProblem(error).message;
  if (why !== undefined) return <Table.Td colSpan={shown.length + 2}>{why}</Table.Td>;
  const chiSquare =
    page?.chi_square === undefined || !page.degrees_of_freedom
      ? '–'
      : `${figure(page.chi_square, 4)} / ${page.degrees_of_freedom}`;
  const gamma =
    page?.gamma === undefined
      ? (page?.gamma_left_out ?? '–')
      : T.passed(figure(100 * page.gamma.pass_rate, 4), page.gamma.bins);
  return (
    <>
      {shown.map((name) => {
        const difference = differenceIn(page, name);
        return (
          <Table.Td key={name} data-difference={name}>
            {difference === undefined ? (
              '–'
            ) : (
              <Defined definition={difference.definition}>{formatReading(difference)}</Defined>
            )}
          </Table.Td>
        );
      })}
      <Table.Td>{chiSquare}</Table.Td>
      <Table.Td data-gamma>{gamma}</Table.Td>
    </>
  );
}
