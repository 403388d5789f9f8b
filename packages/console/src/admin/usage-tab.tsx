import { Button, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Output } from '../api/client.js';
import { byteWords } from '../byte-words.js';
import { duration } from '../format.js';
import { saveFile } from '../results/save.js';
import { ADMIN_TEXTS as T } from '../texts/admin.js';
import { lastMonths } from '../usage/months.js';
import { AdminTable } from './admin-table.js';
import { changeQuota, type Quota, quotaOf, quotasQuery, quotaWords } from './quota.js';
import type { Act } from './reason-modal.js';

type Usage = Output<'GET', '/admin/usage'>['usage'][number];

/** Who has used what in a month, and may use what. */
export function UsageTab({ onAct }: { readonly onAct: (act: Act) => void }) {
  const months = lastMonths(new Date());
  const [newest = '', oldest = newest] = [months[0], months.at(-1)];
  const [month, setMonth] = useState(newest);
  const usage = useQuery({
    queryKey: ['admin', 'usage', month],
    queryFn: () => call('GET', '/admin/usage', { query: { from: month, to: month } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const quotas = useQuery(quotasQuery).data?.quotas;
  const rows = usage.data?.usage ?? [];
  const save = (from: string, to: string) =>
    void saveFile(`usage-${from}-${to}.csv`, `/admin/usage?from=${from}&to=${to}&format=csv`);
  return (
    <>
      <AdminTable
        label={T.tabs.usage}
        columns={T.usage.columns}
        source={usage}
        rows={rows.map((one) => ({
          key: String(one.user_id),
          cells: cellsOf(one, quotas, onAct),
        }))}
      >
        <Select
          label={T.usage.month}
          allowDeselect={false}
          w={130}
          data={months}
          value={month}
          onChange={(value) => setMonth(value ?? month)}
        />
        <Button variant="default" onClick={() => save(month, month)}>
          {T.usage.csv}
        </Button>
        <Button variant="default" onClick={() => save(oldest, newest)}>
          {T.usage.csvYear}
        </Button>
      </AdminTable>
      {rows.length > 0 && <Sums rows={rows} isNow={month === newest} />}
    </>
  );
}

/** @param quotas - undefined: they are not known yet */
function cellsOf(one: Usage, quotas: readonly Quota[] | undefined, onAct: (act: Act) => void) {
  const { user_id, username, processor_seconds, stored_bytes } = one;
  const quota = quotas && quotaOf(quotas, user_id);
  return [
    username || T.usage.deleted(user_id),
    duration(processor_seconds),
    stored_bytes === null ? '' : byteWords(stored_bytes),
    quotas && quotaWords(quota),
    quotas && username !== '' && (
      <Button
        key="quota"
        size="compact-sm"
        variant="light"
        aria-label={`${T.quota.change}: ${username}`}
        onClick={() => onAct(changeQuota(user_id, username, quota))}
      >
        {T.quota.of}
      </Button>
    ),
  ];
}

/** All users together. */
function Sums({ rows, isNow }: { readonly rows: readonly Usage[]; readonly isNow: boolean }) {
  const sum = (of: (one: Usage) => number) => rows.reduce((all, one) => all + of(one), 0);
  const time = T.usage.total(duration(sum((one) => one.processor_seconds)));
  const stored = isNow ? T.usage.stored(byteWords(sum((one) => one.stored_bytes ?? 0))) : T.usage.notKept;
  return (
    <Stack mt="md" gap={4}>
      <Text size="sm">{time}</Text>
      <Text size="sm" c={isNow ? undefined : 'dimmed'}>
        {stored}
      </Text>
    </Stack>
  );
}
