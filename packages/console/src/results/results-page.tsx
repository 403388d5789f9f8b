import { Alert, Card, Container, Group, NavLink, ScrollArea, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { toProblem } from '../api/client.js';
import { onChange } from '../api/live.js';
import { type Estimators, estimatorsQuery, isFinal, queryClient, statusQuery } from '../api/queries.js';
import { Description } from '../job/description.js';
import { stoppedShare } from '../job/stopped.js';
import { useTitle } from '../job/use-title.js';
import { accessQuery, isShut } from '../people/queries.js';
import { TextLink } from '../shell/links.js';
import { NoJob } from '../shell/no-job.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { StateBadge } from '../shell/state-badge.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { TEXTS } from '../texts.js';
import { Downloads } from './downloads.js';
import { PageView } from './page-view.js';

const T = TEXTS.results;
const REFRESH_MS = 2_000;

function readAgain(jobId: string): void {
  for (const key of ['estimators', 'results', 'status']) void queryClient.invalidateQueries({ queryKey: [key, jobId] });
}

/** Reads results of an ended job once more that are partial: they may have been read before its end, by another page. */
function useEnded(jobId: string, isPartial: boolean): void {
  useEffect(() => {
    if (isPartial) readAgain(jobId);
  }, [jobId, isPartial]);
}

/** Reads estimators and pages again as tasks are merged, while the job runs. */
function useGrowing(jobId: string, isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const refresh = () => readAgain(jobId);
    const timer = setInterval(refresh, REFRESH_MS);
    const stop = onChange((change) => {
      if (change.kind === 'job' && change.jobId === jobId) refresh();
    });
    return () => {
      clearInterval(timer);
      stop();
      refresh();
    };
  }, [jobId, isRunning]);
}

/** Results of a job, from the first merged task on. */
export function ResultsPage() {
  const { jobId } = useParams({ from: '/jobs/$jobId/results' });
  const search = useSearch({ from: '/jobs/$jobId/results' });
  const status = useQuery(statusQuery(jobId));
  const state = status.data?.job_state;
  const isRunning = state !== undefined && !isFinal(state);
  useGrowing(jobId, isRunning);
  const estimators = useQuery(estimatorsQuery(jobId));
  useEnded(jobId, state !== undefined && isFinal(state) && estimators.data?.partial === true);
  const title = useTitle(jobId);
  usePageTitle(title === undefined ? undefined : `${T.title}: ${title}`);
  const access = useQuery(accessQuery({ job_id: jobId }));
  const { estimator, page } = chosen(estimators.data, search);
  const isEmpty =
    estimators.data?.estimators.length === 0 || (estimators.isError && toProblem(estimators.error).status === 404);
  if (isShut(access.error)) {
    return (
      <Container size="md" py="lg">
        <NoJob error={access.error} onRetry={() => void access.refetch()} />
      </Container>
    );
  }
  return (
    <Container fluid py="md" px="md">
      <Stack gap="sm">
        <Group gap="sm">
          <Title order={1} size="h3">
            {title ?? T.title}
          </Title>
          {state !== undefined && (
            <StateBadge
              state={state}
              isFocusable
              stoppedAt={status.data && isFinal(state) ? stoppedShare(status.data) : undefined}
            />
          )}
          <TextLink to="/jobs/$jobId" params={{ jobId }} size="sm">
            {jobId}
          </TextLink>
        </Group>
        <Description of={status.data?.description} />
        {(estimators.data?.warnings ?? []).map(({ code, message }) => (
          <Alert key={`${code} ${message}`} color="orange" variant="light" py="xs" data-warning={code}>
            {message}
          </Alert>
        ))}
        {(isRunning || !estimators.isFetching) && <PartialNote estimators={estimators.data} isRunning={isRunning} />}
        {status.isError && status.data === undefined ? (
          <NoJob error={status.error} onRetry={() => void status.refetch()} />
        ) : (
          estimators.isError &&
          !isEmpty && <ProblemNotice error={estimators.error} onRetry={() => void estimators.refetch()} />
        )}
        {isEmpty && !status.isError && (
          <Alert color="blue" variant="light">
            {T.none}
          </Alert>
        )}
        {estimators.isPending && <Skeleton h={480} />}
        {estimators.data !== undefined && estimator !== undefined && page !== undefined && (
          <Shown jobId={jobId} estimators={estimators.data} estimator={estimator} page={page} />
        )}
      </Stack>
    </Container>
  );
}

function chosen(data: Estimators | undefined, search: { readonly estimator?: string; readonly page?: number }) {
  const estimator = data?.estimators.find(({ name }) => name === search.estimator) ?? data?.estimators[0];
  const page = estimator?.pages.find(({ page_number: number }) => number === search.page) ?? estimator?.pages[0];
  return { estimator, page };
}

function PartialNote({
  estimators,
  isRunning,
}: {
  readonly estimators: Estimators | undefined;
  readonly isRunning: boolean;
}) {
  if (estimators?.partial !== true) return undefined;
  return (
    <Alert color={isRunning ? 'blue' : 'orange'} variant="light" py="xs" role="status">
      {isRunning ? T.partial(estimators.tasks_merged) : T.partialEnded}
    </Alert>
  );
}

type Estimator = Estimators['estimators'][number];

interface ShownProps {
  readonly jobId: string;
  readonly estimators: Estimators;
  readonly estimator: Estimator;
  readonly page: Estimator['pages'][number];
}

function Shown({ jobId, estimators, estimator, page }: ShownProps) {
  const own = { jobId, estimator: estimator.name, page: page.page_number };
  return (
    <Group align="flex-start" wrap="wrap" gap="md">
      <Card withBorder padding="xs" w={{ base: '100%', md: 250 }}>
        <ScrollArea.Autosize mah={{ base: 180, md: 640 }}>
          <EstimatorList estimators={estimators} estimator={estimator} page={page} />
        </ScrollArea.Autosize>
        <Text size="xs" c="dimmed" p="xs">
          {T.histories(estimators.primaries, estimators.engine)}
        </Text>
      </Card>
      <Stack flex="1 1 320px" miw={0}>
        <PageView
          key={`${own.estimator} ${own.page}`}
          own={own}
          sizes={page.dimensions}
          nonFiniteCount={page.non_finite_count}
        />
        <Downloads own={own} name={page.name} sizes={page.dimensions} />
      </Stack>
    </Group>
  );
}

function EstimatorList({ estimators, estimator, page }: Omit<ShownProps, 'jobId'>) {
  const navigate = useNavigate({ from: '/jobs/$jobId/results' });
  return estimators.estimators.map(({ name, pages }) => (
    <NavLink
      key={name}
      label={name}
      defaultOpened={name === estimator.name}
      childrenOffset="sm"
      component="button"
      type="button"
    >
      {pages.map((item) => (
        <NavLink
          key={item.page_number}
          component="button"
          type="button"
          label={item.name}
          description={item.dimensions.filter((size) => size > 1).join(' × ')}
          active={name === estimator.name && item.page_number === page.page_number}
          onClick={() =>
            void navigate({
              search: ({ with: other, log, band }) => ({
                with: other,
                log,
                band,
                estimator: name,
                page: item.page_number,
              }),
            })
          }
        />
      ))}
    </NavLink>
  ));
}
