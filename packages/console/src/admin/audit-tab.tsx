import { Button, Checkbox, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.js';
import { Moment } from '../shell/moment.js';
import { ADMIN_TEXTS as T } from '../texts/admin.js';
import { AdminTable } from './admin-table.js';

/** The trail of what operators do. */
export function AuditTab() {
  const [isAll, setIsAll] = useState(false);
  const changes = isAll ? 'false' : 'true';
  const trail = useInfiniteQuery({
    queryKey: ['admin', 'audit', changes],
    queryFn: ({ pageParam }) =>
      call('GET', '/admin/audit', { query: { changes, ...(pageParam === 0 ? {} : { before: pageParam }) } }),
    initialPageParam: 0,
    getNextPageParam: (last) => last.next_before,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const entries = trail.data?.pages.flatMap((page) => page.entries) ?? [];
  const file = (format: string) => `/admin/audit?format=${format}&changes=${changes}`;
  return (
    <>
      <AdminTable
        label={T.tabs.audit}
        columns={T.audit.columns}
        source={trail}
        rows={entries.map((entry) => ({
          key: String(entry.action_id),
          cells: [
            <Moment key="time" at={entry.time} />,
            entry.operator,
            <div key="action">
              {entry.action}
              {entry.failure !== '' && (
                <Text size="xs" c="red">
                  {T.audit.failed(entry.failure)}
                </Text>
              )}
            </div>,
            entry.target,
            entry.reason,
            <Text key="request" size="xs" c="dimmed">
              {entry.request_id}
            </Text>,
          ],
        }))}
      >
        <Checkbox label={T.audit.looks} checked={isAll} onChange={(e) => setIsAll(e.currentTarget.checked)} />
        <Button component="a" variant="default" href={file('csv')} download>
          {T.audit.csv}
        </Button>
        <Button component="a" variant="default" href={file('jsonl')} download>
          {T.audit.jsonl}
        </Button>
      </AdminTable>
      {trail.hasNextPage && (
        <Button mt="md" variant="light" loading={trail.isFetchingNextPage} onClick={() => void trail.fetchNextPage()}>
          {T.more}
        </Button>
      )}
    </>
  );
}
