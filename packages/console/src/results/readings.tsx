import { SimpleGrid, Table, Text } from '@mantine/core';
import { describeCurve, formatReading, type Reading, readCurve } from '@tally/merge/readings';
import { figure } from '../format.js';
import { TEXTS } from '../texts.js';
import type { Curve } from './page-data.js';

const T = TEXTS.results;

const readingsOf = ({ axis, values, errors, unit, label }: Curve): Reading[] =>
  readCurve({ centers: axis.centres, values, errors }, describeCurve({ name: label, unit, axis }));

const wordsOf = (reading: Reading): string =>
  reading.name === 'mean_error' ? `${figure(100 * reading.value, 2)} %` : formatReading(reading);

/** The numbers that are read off a curve, each with its error; nothing of quantities that have none. */
export function Readings({ curve }: { readonly curve: Curve }) {
  const readings = readingsOf(curve);
  if (readings.length === 0) return undefined;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} component="dl" m={0}>
      {readings.map((reading) => (
        <div key={reading.name} title={reading.definition}>
          <Text size="xs" c="dimmed" component="dt">
            {T.readings[reading.name]}
          </Text>
          <Text fw={600} component="dd" m={0} data-reading={reading.name}>
            {wordsOf(reading)}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

interface RangeProps {
  /** A plane's, and another's to compare with. */
  readonly curves: readonly Curve[];
  readonly summedOver: string;
}

/** Of two readings how much larger the second is; undefined: one is missing. */
function differenceOf(own: Reading, other: Reading | undefined): Reading | undefined {
  if (other === undefined) return undefined;
  const error = own.error === null || other.error === null ? null : Math.hypot(own.error, other.error);
  return { ...own, value: other.value - own.value, error };
}

/** Ranges of curves over one depth, and how far those of the second are from the first's; nothing of other curves. */
export function RangeTable({ curves: [own, other], summedOver }: RangeProps) {
  if (own === undefined || !/^(z|depth)/i.test(own.axis.name)) return undefined;
  const read = readingsOf(own).filter(({ unit }) => unit !== '');
  if (read.length === 0) return undefined;
  const second = other === undefined ? [] : readingsOf(other);
  const secondOf = (reading: Reading) => second.find(({ name }) => name === reading.name);
  const rows = [
    { label: own.label, readings: read },
    ...(other === undefined || second.length === 0
      ? []
      : [
          { label: other.label, readings: read.map(secondOf) },
          { label: T.difference, readings: read.map((reading) => differenceOf(reading, secondOf(reading))) },
        ]),
  ];
  return (
    <Table.ScrollContainer minWidth={420} type="native">
      <Table verticalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{T.alongDepth(own.axis.name, summedOver)}</Table.Th>
            {read.map(({ name, definition }) => (
              <Table.Th key={name} title={definition}>
                {T.readings[name]}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ label, readings }) => (
            <Table.Tr key={label} data-ranges={label}>
              <Table.Td>{label}</Table.Td>
              {read.map(({ name }, i) => (
                <Table.Td key={name} data-range={name}>
                  {readings[i] === undefined ? '–' : wordsOf(readings[i])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
