import { SimpleGrid, Table, Text } from '@mantine/core';
import { readDepthDose } from '@tally/merge/depth-dose';
import { figure } from '../format.js';
import { TEXTS } from '../texts.js';
import type { Axis, Curve } from './page-data.js';

const T = TEXTS.results;

const isDepth = ({ name }: Axis): boolean => /^(z|depth)/i.test(name);
const lengthOf = (value: number | undefined, unit: string, digits?: number): string =>
  value === undefined ? '–' : `${figure(value, digits)} ${unit}`;

/** What a physicist reads off a curve over depth; nothing of others. */
export function Readings({ curve }: { readonly curve: Curve }) {
  const read = readDepthDose(curve.axis.centres, curve.values, curve.errors);
  if (read === undefined || !(isDepth(curve.axis) || /dose|energy/i.test(curve.unit))) return undefined;
  const { unit } = curve.axis;
  const rows: readonly (readonly [string, string])[] = [
    [T.peak, lengthOf(read.peakDepth, unit)],
    [T.r90, lengthOf(read.r90, unit)],
    [T.r80, lengthOf(read.r80, unit)],
    [T.fallOff, lengthOf(read.fallOff, unit)],
    [T.ratio, figure(read.peakToEntrance, 3)],
    [T.mean, read.relativeError === undefined ? '–' : `${figure(100 * read.relativeError, 2)} %`],
  ];
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} component="dl" m={0}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <Text size="xs" c="dimmed" component="dt">
            {name}
          </Text>
          <Text fw={600} component="dd" m={0} data-reading={name}>
            {value}
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

/** Ranges of curves over one depth, and how far those of the second are from the first's; nothing of other axes. */
export function RangeTable({ curves: [own, other], summedOver }: RangeProps) {
  if (own === undefined || !isDepth(own.axis)) return undefined;
  const [read, second] = [own, other].map(
    (curve) => curve && readDepthDose(curve.axis.centres, curve.values, curve.errors),
  );
  if (read === undefined) return undefined;
  const names = ['peakDepth', 'r90', 'r80', 'fallOff'] as const;
  const apart = names.map((name) => {
    const [a, b] = [read[name], second?.[name]];
    return a === undefined || b === undefined ? undefined : b - a;
  });
  const rows = [
    { label: own.label, lengths: names.map((name) => read[name]) },
    ...(other === undefined || second === undefined
      ? []
      : [
          { label: other.label, lengths: names.map((name) => second[name]) },
          { label: T.difference, lengths: apart },
        ]),
  ];
  return (
    <Table.ScrollContainer minWidth={420} type="native">
      <Table verticalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            {[T.alongDepth(own.axis.name, summedOver), T.peak, T.r90, T.r80, T.fallOff].map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ label, lengths }) => (
            <Table.Tr key={label} data-ranges={label}>
              <Table.Td>{label}</Table.Td>
              {names.map((name, i) => (
                <Table.Td key={name}>{lengthOf(lengths[i], own.axis.unit)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
