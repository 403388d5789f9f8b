import {
  Button,
  Card,
  Container,
  Group,
  MultiSelect,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
  Tooltip,
} from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { call } from '../api/client.js';
import { cancelJob, stopJob } from '../api/job-actions.js';
import { onChange, type StateName } from '../api/live.js';
import { isFinal, type ListOrder, NEWEST, queryClient, type Simulation, simulationsQuery } from '../api/queries.js';
import { secondsBetween } from '../format.js';
import { ExtendButton } from '../job/extend.js';
import type { JobsSearch } from '../search.js';
import { ConfirmButton } from '../shell/confirm-button.js';
import { ButtonLink, TextLink } from '../shell/links.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { TEXTS } from '../texts.js';
import { JobTable } from './job-table.js';

const T = TEXTS.jobs;
const ORDERS: Readonly<Record<string, ListOrder>> = {
  oldest: { by: 'start_time', type: 'ascend' },
  ended: { by: 'end_time', type: 'descend' },
};
const secondsOf = ({ start_time: start, end_time: end }: Simulation) => secondsBetween(start, end ?? Date.now());
/** Orders that the service does not have: everything is read, page by page, and put in order here. */
const OWN_ORDERS: Readonly<Record<string, (a: Simulation, b: Simulation) => number>> = {
  title: (a, b) => a.title.localeCompare(b.title, 'en', { numeric: true }),
  longest: (a, b) => secondsOf(b) - secondsOf(a),
};
const STATE_CHOICES: readonly { readonly value: string; readonly states: readonly StateName[] }[] = [
  { value: T.waiting, states: ['UNKNOWN', 'PENDING'] },
  { value: TEXTS.states.RUNNING[0], states: ['RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING'] },
  { value: TEXTS.states.COMPLETED[0], states: ['COMPLETED'] },
  { value: TEXTS.states.FAILED[0], states: ['FAILED'] },
  { value: TEXTS.states.CANCELED[0], states: ['CANCELED'] },
];
const REFRESH_MS = 1_500;

type Action = 'stop' | 'cancel' | 'delete';

/** Stops or cancels what runs, or deletes what has ended; each job by itself, so that one refusal leaves the others done. */
async function actOn(jobs: readonly Simulation[], action: Action): Promise<void> {
  const outcomes = await Promise.allSettled(
    jobs.map(({ job_id: jobId, platform }) => {
      if (action === 'delete') return call('DELETE', '/user/simulations', { query: { job_id: jobId } });
      return action === 'stop' ? stopJob(jobId, platform === 'batch') : cancelJob(jobId, platform === 'batch');
    }),
  );
  await queryClient.invalidateQueries({ queryKey: ['simulations'] });
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Reads the list again when the stream told of a new state; a burst of events is one reading. */
function useLiveList(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onChange(({ kind }) => {
      if (kind === 'task') return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({ queryKey: ['simulations'] });
      }, REFRESH_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
}

/** All jobs of the user, live. */
export function JobsPage() {
  const view = useSearch({ from: '/' });
  const go = useNavigate({ from: '/' });
  const set = (change: Partial<JobsSearch>) =>
    void go({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  const [search, setSearch] = useState(view.search ?? '');
  const order = view.order ?? 'newest';
  const choices = useMemo(
    () => STATE_CHOICES.map(({ value }) => value).filter((value) => view.states?.split(',').includes(value) === true),
    [view.states],
  );
  usePageTitle(T.title);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const states = useMemo(
    () => STATE_CHOICES.filter(({ value }) => choices.includes(value)).flatMap((choice) => choice.states),
    [choices],
  );
  const list = useInfiniteQuery(simulationsQuery(states, ORDERS[order] ?? NEWEST));
  useLiveList();
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const words = search.trim().toLowerCase();
  const compare = OWN_ORDERS[order];
  const isReadWhole = words !== '' || compare !== undefined; // titles are searched here, too
  useEffect(() => {
    if (isReadWhole) more();
  }, [isReadWhole, more]);
  const read = useMemo(() => list.data?.pages.flatMap((page) => page.simulations) ?? [], [list.data]);
  const shown = useMemo(() => {
    const found = read.filter(({ title, job_id }) => `${title} ${job_id}`.toLowerCase().includes(words));
    return compare === undefined ? found : found.sort(compare);
  }, [read, words, compare]);
  const total = list.data?.pages.at(-1)?.simulations_count ?? 0;
  const isFiltered = words !== '' || choices.length > 0;
  return (
    <Container fluid maw={1900} py="lg">
      <Stack>
        <Group justify="space-between">
          <Group align="baseline" gap="sm">
            <Title order={1} size="h2">
              {T.title}
            </Title>
            <Text c="dimmed" size="sm" role="status">
              {list.data === undefined
                ? ''
                : isReadWhole && hasNextPage
                  ? T.searching(read.length, total)
                  : T.count(words === '' ? total : shown.length, total)}
            </Text>
          </Group>
          <ButtonLink to="/new">{TEXTS.nav.submit}</ButtonLink>
        </Group>
        <Filters
          search={search}
          onSearch={(text) => {
            setSearch(text);
            set({ search: text.trim() || undefined });
          }}
          choices={choices}
          onChoices={(next) => set({ states: next.join(',') || undefined })}
          order={order}
          onOrder={(next) => set({ order: next === 'newest' ? undefined : next })}
        />
        <Selection jobs={read.filter(({ job_id }) => selected.has(job_id))} onDone={() => setSelected(new Set())} />
        {list.isError && <ProblemNotice error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && <Skeleton h={320} />}
        {list.isSuccess && shown.length === 0 && !hasNextPage && <Nothing isFiltered={isFiltered} />}
        {shown.length > 0 && <JobTable jobs={shown} selected={selected} onSelect={setSelected} onEnd={more} />}
      </Stack>
    </Container>
  );
}

interface FiltersProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly choices: string[];
  readonly onChoices: (choices: string[]) => void;
  readonly order: string;
  readonly onOrder: (order: string) => void;
}

function Filters({ search, onSearch, choices, onChoices, order, onOrder }: FiltersProps) {
  return (
    <Group>
      <TextInput
        flex="1 1 200px"
        placeholder={T.search}
        aria-label={T.search}
        data-search
        value={search}
        onChange={(e) => onSearch(e.currentTarget.value)}
      />
      <MultiSelect
        flex="1 1 200px"
        maw={420}
        aria-label={T.states}
        placeholder={choices.length === 0 ? T.states : ''}
        data={STATE_CHOICES.map(({ value }) => value)}
        value={choices}
        onChange={onChoices}
        clearable
      />
      <Select
        w={180}
        aria-label={T.order}
        allowDeselect={false}
        data={[
          { value: 'newest', label: T.newest },
          { value: 'oldest', label: T.oldest },
          { value: 'ended', label: T.ended },
          { value: 'title', label: T.byTitle },
          { value: 'longest', label: T.longest },
        ]}
        value={order}
        onChange={(value) => onOrder(value ?? 'newest')}
      />
    </Group>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Text c="dimmed">{T.none}</Text>;
  return (
    <Card withBorder p="xl" ta="center">
      <Text fw={600}>{T.empty}</Text>
      <Text c="dimmed" size="sm">
        {T.emptyHint}
      </Text>
      <TextLink to="/new" mt="sm">
        {TEXTS.nav.submit}
      </TextLink>
    </Card>
  );
}

/** What can be done with the jobs that are selected. */
function Selection({ jobs, onDone }: { readonly jobs: readonly Simulation[]; readonly onDone: () => void }) {
  const navigate = useNavigate();
  const act = useMutation({
    mutationFn: (action: Action) =>
      actOn(
        jobs.filter(({ job_state: state }) => isFinal(state) === (action === 'delete')),
        action,
      ),
    onSuccess: onDone,
  });
  if (jobs.length === 0) return undefined;
  const running = jobs.filter(({ job_state: state }) => !isFinal(state)).length;
  const ended = jobs.flatMap(({ job_id: jobId, job_state: state, platform }) =>
    state === 'COMPLETED' ? [{ jobId, isBatch: platform === 'batch' }] : [],
  );
  const [first, ...others] = jobs;
  const overlay = () =>
    first !== undefined &&
    void navigate({
      to: '/jobs/$jobId/results',
      params: { jobId: first.job_id },
      search: { with: others.map(({ job_id }) => job_id).join(',') },
    });
  return (
    <Card withBorder py="xs">
      <Group>
        <Text size="sm" fw={600}>
          {T.selected(jobs.length)}
        </Text>
        <Tooltip label={TEXTS.job.stopHint} multiline w={260}>
          <Button
            size="xs"
            variant="light"
            disabled={running === 0}
            loading={act.isPending}
            onClick={() => act.mutate('stop')}
          >
            {T.stop}
          </Button>
        </Tooltip>
        <ConfirmButton
          size="xs"
          variant="light"
          disabled={running === 0}
          loading={act.isPending}
          label={T.cancel}
          question={T.cancelSure(running)}
          answer={T.cancelNow(running)}
          onConfirm={() => act.mutate('cancel')}
        />
        <ConfirmButton
          size="xs"
          variant="light"
          color="red"
          disabled={running === jobs.length}
          loading={act.isPending}
          label={T.remove}
          question={T.removeSure(
            jobs.length - running,
            jobs.find(({ job_state: state }) => isFinal(state))?.title ?? '',
          )}
          answer={T.removeNow(jobs.length - running)}
          onConfirm={() => act.mutate('delete')}
        />
        {ended.length > 0 && <ExtendButton size="xs" variant="light" jobs={ended} onDone={onDone} />}
        <Button size="xs" variant="light" onClick={overlay}>
          {T.compare}
        </Button>
        {first !== undefined && others.length === 0 && (
          <ButtonLink size="xs" variant="light" to="/new" search={{ from: first.job_id }}>
            {TEXTS.job.repeat}
          </ButtonLink>
        )}
      </Group>
      {act.isError && <ProblemNotice error={act.error} />}
    </Card>
  );
}
