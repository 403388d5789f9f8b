import { Card, Container, Group, MultiSelect, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { toProblem } from '../api/client.js';
import { onChange, type StateName } from '../api/live.js';
import { type ListOrder, NEWEST, queryClient, type Simulation, simulationsQuery, type View } from '../api/queries.js';
import { secondsBetween } from '../format.js';
import { SearchBox } from '../labels/search-box.js';
import { withTerm } from '../labels/search-terms.js';
import { readView, ViewChoice } from '../people/views.js';
import type { JobsSearch } from '../search.js';
import { ButtonLink, TextLink } from '../shell/links.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { VIEW_TEXTS } from '../texts/views.js';
import { TEXTS } from '../texts.js';
import { JobTable } from './job-table.js';

const T = TEXTS.jobs;
const Selection = lazy(() => import('./selection.js').then((module) => ({ default: module.Selection })));
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

/** The list as it is chosen; what was chosen before stays until it is there. */
function useList(choices: readonly string[], order: string, search: string, whose: View) {
  const states = useMemo(
    () => STATE_CHOICES.filter(({ value }) => choices.includes(value)).flatMap((choice) => choice.states),
    [choices],
  );
  return useInfiniteQuery({
    ...simulationsQuery(states, ORDERS[order] ?? NEWEST, search, whose),
    placeholderData: (before, query) => (query?.queryKey.at(-1) === whose ? keepPreviousData(before) : undefined),
  });
}

/** The service could not read the search: its box says so. */
const isOfSearch = (error: unknown) => toProblem(error).fields.some(({ field }) => field.endsWith('search'));

/** Jobs of the user, live; or of the user's groups, or that others share. */
export function JobsPage() {
  const view = useSearch({ from: '/' });
  const go = useNavigate({ from: '/' });
  const set = (change: Partial<JobsSearch>) =>
    void go({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  const search = view.search ?? '';
  const onSearch = (text: string) => set({ search: text.trim() || undefined });
  const order = view.order ?? 'newest';
  const choices = useMemo(
    () => STATE_CHOICES.map(({ value }) => value).filter((value) => view.states?.split(',').includes(value) === true),
    [view.states],
  );
  usePageTitle(T.title);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const whose = readView(view.view);
  const list = useList(choices, order, search, whose);
  useLiveList();
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const compare = OWN_ORDERS[order];
  useEffect(() => {
    if (compare !== undefined) more();
  }, [compare, more]);
  const read = useMemo(() => list.data?.pages.flatMap((page) => page.simulations) ?? [], [list.data]);
  const shown = useMemo(() => (compare === undefined ? read : read.toSorted(compare)), [read, compare]);
  const total = list.data?.pages.at(-1)?.simulations_count ?? 0;
  const isReading = compare !== undefined && hasNextPage;
  const isFiltered = search !== '' || choices.length > 0;
  return (
    <Container fluid maw={1900} py="lg">
      <Stack>
        <Heading
          words={list.data === undefined ? '' : isReading ? T.searching(read.length, total) : T.count(total)}
          whose={whose}
          onWhose={(next) => {
            setSelected(new Set());
            set({ view: next === 'own' ? undefined : next });
          }}
        />
        <Filters
          search={search}
          onSearch={onSearch}
          error={list.error}
          choices={choices}
          onChoices={(next) => set({ states: next.join(',') || undefined })}
          order={order}
          onOrder={(next) => set({ order: next === 'newest' ? undefined : next })}
        />
        {selected.size > 0 && (
          <Suspense>
            <Selection jobs={read.filter(({ job_id }) => selected.has(job_id))} onDone={() => setSelected(new Set())} />
          </Suspense>
        )}
        {list.isError && !isOfSearch(list.error) && (
          <ProblemNotice error={list.error} onRetry={() => void list.refetch()} />
        )}
        {list.isPending && <Skeleton h={320} />}
        {list.isSuccess && shown.length === 0 && !hasNextPage && <Nothing isFiltered={isFiltered} whose={whose} />}
        {shown.length > 0 && (
          <JobTable
            jobs={shown}
            selected={selected}
            onSelect={setSelected}
            onEnd={more}
            onTerm={(term) => onSearch(withTerm(search, term))}
          />
        )}
      </Stack>
    </Container>
  );
}

interface HeadingProps {
  /** How many there are. */
  readonly words: string;
  readonly whose: View;
  readonly onWhose: (whose: View) => void;
}

function Heading({ words, whose, onWhose }: HeadingProps) {
  return (
    <Group justify="space-between">
      <Group align="baseline" gap="sm">
        <Title order={1} size="h2">
          {T.title}
        </Title>
        <Text c="dimmed" size="sm" role="status">
          {words}
        </Text>
      </Group>
      <Group gap="sm">
        <ViewChoice view={whose} onView={onWhose} />
        <ButtonLink to="/new">{TEXTS.nav.submit}</ButtonLink>
      </Group>
    </Group>
  );
}

interface FiltersProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  /** Of the list. */
  readonly error: unknown;
  readonly choices: string[];
  readonly onChoices: (choices: string[]) => void;
  readonly order: string;
  readonly onOrder: (order: string) => void;
}

function Filters({ search, onSearch, error, choices, onChoices, order, onOrder }: FiltersProps) {
  return (
    <Group>
      <SearchBox search={search} onSearch={onSearch} error={error} />
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

function Nothing({ isFiltered, whose }: { readonly isFiltered: boolean; readonly whose: View }) {
  if (isFiltered) return <Text c="dimmed">{T.none}</Text>;
  if (whose !== 'own') return <Text c="dimmed">{VIEW_TEXTS.nothing[whose]}</Text>;
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
