import { Group, NumberInput, Stack, Table, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { toProblem } from '../api/client.js';
import { type ComparedPage, comparisonQuery, type PageRef } from '../api/queries.js';
import { figure } from '../format.js';
import { TEXTS } from '../texts.js';
import type { GammaChoice } from './use-gamma.js';
import type { Overlays } from './use-overlays.js';

const T = TEXTS.results;

interface ComparisonProps {
  /** The reference. */
  readonly own: PageRef;
  readonly overlays: Overlays;
  readonly gamma: GammaChoice;
}

/** How the same page of other jobs differs from this one, as the service finds it: ranges, χ², gamma. */
export function Comparison({ own, overlays: { refs: all, labelOf }, gamma }: ComparisonProps) {
  const refs = all.filter(
    ({ jobId, estimator, page }) => jobId !== own.jobId && estimator === own.estimator && page === own.page,
  );
  const compared = useQueries({ queries: refs.map((ref) => comparisonQuery(ref.jobId, own, gamma.settled)) });
  if (refs.length === 0) return undefined;
  const hasRanges = compared.some(({ data }) => data?.range_differences !== undefined);
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
      <Table.ScrollContainer minWidth={520} type="native">
        <Table verticalSpacing={6} fz="sm">
          <Table.Thead>
            <Table.Tr>
              {[T.comparedWith, ...(hasRanges ? [T.deltaR80, T.deltaR90] : []), T.chiSquare, T.gamma].map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {compared.map(({ data, error }, i) => (
              <Table.Tr key={refs[i]?.jobId}>
                <Table.Td>{refs[i] && labelOf(refs[i])}</Table.Td>
                <Cells page={data} error={error} hasRanges={hasRanges} />
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
  /** Of curves over a depth. */
  readonly hasRanges: boolean;
}

function Cells({ page, error, hasRanges }: CellsProps) {
  const why = error === null ? page?.not_compared : toProblem(error).message;
  if (why !== undefined) return <Table.Td colSpan={4}>{why}</Table.Td>;
  const ranges = page?.range_differences;
  const length = (value: number | undefined) => (value === undefined ? '–' : `${figure(value, 3)} ${ranges?.unit}`);
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
      {hasRanges && (
        <>
          <Table.Td>{length(ranges?.r80)}</Table.Td>
          <Table.Td>{length(ranges?.r90)}</Table.Td>
        </>
      )}
      <Table.Td>{chiSquare}</Table.Td>
      <Table.Td data-gamma>{gamma}</Table.Td>
    </>
  );
}
