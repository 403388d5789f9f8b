import { Button, Group, Skeleton, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemNotice } from '../shell/problem-notice.js';
import { ADMIN_TEXTS as T } from '../texts/admin.js';

/** What a table of operators is made of. */
export interface Source {
  readonly isPending: boolean;
  readonly isFetching: boolean;
  readonly isError: boolean;
  readonly error: unknown;
  refetch(): unknown;
}

interface AdminTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly source: Source;
  /** Rows of cells; the key of each first. */
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
  /** Filters before the button that reads again. */
  readonly children?: ReactNode;
}

/** A plain table with its filters. It is read when it is opened and when asked: each reading is in the trail. */
export function AdminTable({ label, columns, source, rows, children }: AdminTableProps) {
  return (
    <>
      <Group my="md" align="flex-end">
        {children}
        <Button variant="light" loading={source.isFetching} onClick={() => source.refetch()}>
          {T.refresh}
        </Button>
      </Group>
      {source.isError && <ProblemNotice error={source.error} />}
      {source.isPending && !source.isError && <Skeleton h={120} />}
      {!source.isPending && rows.length === 0 && <Text c="dimmed">{T.none}</Text>}
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={720} type="native" tabIndex={0}>
          <Table aria-label={label} highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                {columns.map((name, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                  <Table.Th key={i}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ key, cells }) => (
                <Table.Tr key={key}>
                  {cells.map((cell, i) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                    <Table.Td key={i} style={{ overflowWrap: 'anywhere', minWidth: '6em' }}>
                      {cell}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}
