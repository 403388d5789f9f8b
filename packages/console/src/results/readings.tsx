import { SimpleGrid, Table, Text } from '@mantine/core';
import { differencesOf, formatReading } from '@tally/merge/readings';
import { useQueries } from '@tanstack/react-query';
import { type PageRef, pageQuery, type ResultPage } from '../api/queries.js';
import { figure } from '../format.js';
import { Defined } from '../shell/defined.js';
import { TEXTS } from '../texts.js';
import type { Grid } from './page-data.js';

const T = TEXTS.results;
const NAMES: Readonly<Record<string, string>> = T.readings;

/** A number that the service has read off a curve. */
export type SentReading = NonNullable<ResultPage['readings']>[number];

const nameOf = ({ name }: SentReading): string => NAMES[name] ?? name;
const wordsOf = (reading: SentReading): string =>
  reading.name === 'mean_error' ? `${figure(100 * reading.value, 2)} %` : formatReading(reading);

/** The numbers that are read off a curve, each with its error and what it means; nothing of quantities that have none. */
export function Readings({ readings }: { readonly readings: readonly SentReading[] }) {
  if (readings.length === 0) return undefined;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} component="dl" m={0}>
      {readings.map((reading) => (
        <div key={reading.name}>
          <Text size="xs" c="dimmed" component="dt">
            {nameOf(reading)}
          </Text>
          <Text fw={600} component="dd" m={0} data-reading={reading.name}>
            {wordsOf(reading)}
          </Text>
          <Text size="xs" c="dimmed" component="dd" m={0} data-definition={reading.name}>
            {reading.definition}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

interface PlaneRangesProps {
  /** A plane's, and another's to compare with. */
  readonly planes: readonly { readonly ref: PageRef; readonly label: string }[];
  readonly grid: Grid;
  /** Bins of every axis of the page. */
  readonly sizes: readonly number[];
}

/** Readings of a plane's sums over each of its axes, and how far those of the second plane are from the first's. */
export function PlaneRanges({ planes, grid, sizes }: PlaneRangesProps) {
  const long = sizes.flatMap((size, axis) => (size > 1 ? [axis] : []));
  return [1, 0].map((over) => (
    <RangeTable
      key={over}
      planes={planes}
      along={grid.axes[1 - over]?.name ?? ''}
      over={{ axis: long[over] ?? over, name: grid.axes[over]?.name ?? '' }}
    />
  ));
}

interface RangeTableProps extends Pick<PlaneRangesProps, 'planes'> {
  readonly along: string;
  readonly over: { readonly axis: number; readonly name: string };
}

function RangeTable({ planes, along, over }: RangeTableProps) {
  const part = { axes: [], bins: [], sums: [over.axis] };
  const [own, other] = useQueries({
    queries: planes.map(({ ref }) => ({ ...pageQuery(ref, part), retry: false })),
    combine: (results) => results.map(({ data }) => lengthsOf(data?.readings ?? [])),
  });
  const columns = own ?? [];
  if (columns.length === 0) return undefined;
  const rows = [
    { label: planes[0]?.label ?? '', readings: columns },
    ...(other === undefined || other.length === 0
      ? []
      : [
          { label: planes[1]?.label ?? '', readings: other },
          { label: T.difference, readings: differencesOf(columns, other) },
        ]),
  ];
  return (
    <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
      <Table verticalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{T.alongDepth(along, over.name)}</Table.Th>
            {columns.map((reading) => (
              <Table.Th key={reading.name}>
                <Defined definition={reading.definition}>{nameOf(reading)}</Defined>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ label, readings }) => (
            <Table.Tr key={label} data-ranges={label}>
              <Table.Td>{label}</Table.Td>
              {columns.map(({ name }) => {
                const reading = readings.find((one) => one.name === name);
                return (
                  <Table.Td key={name} data-range={name}>
                    {reading === undefined ? '–' : wordsOf(reading)}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const lengthsOf = (readings: readonly SentReading[]): SentReading[] => readings.filter(({ unit }) => unit !== '');
