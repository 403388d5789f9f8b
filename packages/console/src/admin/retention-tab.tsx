import { Alert, Button, Group, NumberInput, Stack, Table, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Output } from '../api/client.js';
import { byteWords } from '../byte-words.js';
import { instant } from '../format.js';
import { Moment } from '../shell/moment.js';
import { ADMIN_TEXTS as T } from '../texts/admin.js';
import { AdminTable, type Source } from './admin-table.js';
import type { Act } from './reason-modal.js';

type Retention = Output<'GET', '/admin/retention'>;
type Rule = Retention['rules'][number];

const lineOf = ({ data, state, after_days }: Rule) => `${data} ${state} ${after_days}`;

/** @throws Error with the line that is no rule; the service checks the words */
const readRules = (text: string): Rule[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [data, state, days, ...rest] = line.split(/[\s:]+/);
      if (!/^\d+$/.test(days ?? '') || rest.length > 0) throw new Error(T.retention.wrong(line));
      return { data, state, after_days: Number(days) } as Rule;
    });

/** Rules of retention: what holds, what others would remove, and what goes when. */
export function RetentionTab({ onAct }: { readonly onAct: (act: Act) => void }) {
  const [typed, setTyped] = useState<string>();
  const [warningDays, setWarningDays] = useState<number>();
  const [days, setDays] = useState(30);
  const [asked, setAsked] = useState<{ readonly rules?: string; readonly warning_days?: number }>({});
  const shown = useQuery({
    queryKey: ['admin', 'retention', asked, days],
    queryFn: () => call('GET', '/admin/retention', { query: { ...asked, days } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = shown;
  const text = typed ?? data?.rules.map(lineOf).join('\n') ?? '';
  const warning = warningDays ?? data?.warning_days ?? 14;
  const look = () => {
    const rules = text
      .trim()
      .replaceAll(/[^\S\n]+/g, ':')
      .replaceAll(/\s*\n\s*/g, ',');
    setAsked(rules === '' ? {} : { rules, warning_days: warning });
  };
  const set = () =>
    onAct({
      title: T.retention.set,
      target: text,
      warning: T.retention.setWarning,
      run: async (reason) => {
        const body = { rules: readRules(text), warning_days: warning, reason };
        await call('PUT', '/admin/retention', { body });
        setAsked({});
        setTyped(undefined);
      },
    });
  return (
    <Stack mt="md">
      <Text size="sm">{T.retention.lead}</Text>
      <Textarea
        label={T.retention.rules}
        description={T.retention.rulesHint}
        placeholder={T.retention.example}
        autosize
        minRows={3}
        value={text}
        onChange={(e) => setTyped(e.currentTarget.value)}
      />
      <Group align="flex-end">
        <NumberInput
          label={T.retention.warningDays}
          description={T.retention.warningHint}
          min={1}
          max={365}
          value={warning}
          onChange={(value) => setWarningDays(Number(value))}
        />
        <NumberInput
          label={T.retention.days}
          min={0}
          max={3650}
          value={days}
          onChange={(value) => setDays(Number(value))}
        />
        <Button variant="light" onClick={look}>
          {T.retention.look}
        </Button>
        <Button onClick={set}>{T.retention.set}</Button>
      </Group>
      {data !== undefined && <Held retention={data} isAsked={asked.rules !== undefined} />}
      <Goes source={shown} removals={data?.removals ?? []} />
    </Stack>
  );
}

/** What goes when. */
function Goes({ source, removals }: { readonly source: Source; readonly removals: Retention['removals'] }) {
  return (
    <AdminTable
      label={T.tabs.retention}
      columns={T.retention.columns}
      source={source}
      rows={removals.map((one) => ({
        key: `${one.job_id} ${one.data}`,
        cells: [
          <Moment key="at" at={one.remove_at} />,
          one.data,
          `${one.title} (${one.job_id})`,
          one.username,
          byteWords(one.bytes),
        ],
      }))}
    />
  );
}

function Held({ retention, isAsked }: { readonly retention: Retention; readonly isAsked: boolean }) {
  const { set_at: setAt, sums, removals, bytes } = retention;
  const words = setAt === null ? T.retention.none : T.retention.held(instant(setAt));
  return (
    <>
      <Alert color={isAsked ? 'orange' : 'blue'} variant="light" role="status">
        {isAsked ? T.retention.proposed : words}
      </Alert>
      {sums.length > 0 && (
        <Table.ScrollContainer minWidth={520} type="native" tabIndex={0}>
          <Table aria-label={T.retention.sums}>
            <Table.Thead>
              <Table.Tr>
                {T.retention.sumColumns.map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sums.map(({ first_at: firstAt, jobs, users, ...rule }) => (
                <Table.Tr key={lineOf(rule)}>
                  <Table.Td>{rule.data}</Table.Td>
                  <Table.Td>{rule.state}</Table.Td>
                  <Table.Td>{rule.after_days}</Table.Td>
                  <Table.Td>{jobs}</Table.Td>
                  <Table.Td>{users}</Table.Td>
                  <Table.Td>
                    <Moment at={firstAt} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Text size="sm">{T.retention.total(removals.length, byteWords(bytes))}</Text>
    </>
  );
}
