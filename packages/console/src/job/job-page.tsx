import {
  Alert,
  Badge,
  Button,
  Card,
  Container,
  Grid,
  Group,
  Progress,
  Skeleton,
  Stack,
  Tabs,
  Text,
  Title,
  Tooltip,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call } from '../api/client.js';
import { cancelJob, stopJob } from '../api/job-actions.js';
import { onChange, useLiveJob } from '../api/live.js';
import { estimatorsQuery, isFinal, type JobStatus, queryClient, statusQuery } from '../api/queries.js';
import { duration } from '../format.js';
import { ArchiveButton, LabelsCard, RenameButton } from '../labels/labels-card.js';
import { StarButton } from '../labels/star-button.js';
import { TellMe } from '../notify/tell-me.js';
import { ConfirmButton } from '../shell/confirm-button.js';
import { ButtonLink } from '../shell/links.js';
import { NoJob } from '../shell/no-job.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { StateBadge } from '../shell/state-badge.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { LABEL_TEXTS } from '../texts/labels.js';
import { TEXTS } from '../texts.js';
import { Convergence } from './convergence-card.js';
import { Description } from './description.js';
import { ExtendButton } from './extend.js';
import { Inputs } from './inputs.js';
import { Logs } from './logs.js';
import { type Progress as JobProgress, progressOf } from './progress.js';
import { Provenance } from './provenance.js';
import { stoppedShare } from './stopped.js';
import { TaskGrid } from './task-grid.js';
import { useTitle } from './use-title.js';

const T = TEXTS.job;

/** Reads the state again whenever the stream says that it has changed. */
function useLiveStatus(jobId: string): void {
  useEffect(
    () =>
      onChange((change) => {
        if (change.kind === 'ready' || (change.kind === 'job' && change.jobId === jobId)) {
          for (const key of ['status', 'estimators', 'logs'])
            void queryClient.invalidateQueries({ queryKey: [key, jobId] });
        }
      }),
    [jobId],
  );
}

/** One job: how far it is, and everything about it. */
export function JobPage() {
  const { jobId } = useParams({ from: '/jobs/$jobId' });
  const status = useQuery(statusQuery(jobId));
  const title = useTitle(jobId) ?? status.data?.description?.title ?? jobId;
  useLiveStatus(jobId);
  usePageTitle(title);
  if (status.isPending)
    return (
      <Container fluid maw={1900} py="lg">
        <Skeleton h={400} />
      </Container>
    );
  if (status.isError && status.data === undefined) {
    return (
      <Container size="md" py="lg">
        <NoJob error={status.error} onRetry={() => void status.refetch()} />
      </Container>
    );
  }
  return (
    <Container fluid maw={1900} py="lg">
      <Stack>
        <Head jobId={jobId} title={title} status={status.data} />
        <Details jobId={jobId} status={status.data} />
      </Stack>
    </Container>
  );
}

interface JobProps {
  readonly jobId: string;
  readonly status: JobStatus;
}

function Head({ jobId, title, status }: JobProps & { readonly title: string }) {
  const live = useLiveJob(jobId);
  const progress = progressOf(status.job_tasks_status, live.tasks);
  const state = isFinal(status.job_state) ? status.job_state : (live.state ?? status.job_state);
  const [, meaning] = TEXTS.states[state];
  return (
    <Card withBorder padding="lg">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <div>
            <Group gap="sm">
              <StarButton jobId={jobId} title={title} isFavourite={status.labels?.favourite === true} />
              <Title order={1} size="h3">
                {title}
              </Title>
              {status.labels?.archived === true && (
                <Badge variant="outline" color="gray">
                  {LABEL_TEXTS.isArchived}
                </Badge>
              )}
              <StateBadge
                state={state}
                size="lg"
                isFocusable
                stoppedAt={isFinal(state) ? stoppedShare(status) : undefined}
              />
            </Group>
            <Description of={status.description} />
            <Group gap="xs">
              <Text size="xs" c="dimmed" ff="monospace">
                {jobId}
              </Text>
              <RenameButton jobId={jobId} title={title} />
              <TellMeOfJob jobId={jobId} title={title} state={state} />
              <ArchiveButton jobId={jobId} isArchived={status.labels?.archived === true} />
            </Group>
          </div>
          <Actions
            jobId={jobId}
            title={title}
            progress={progress}
            state={state}
            isBatch={status.cluster_name !== undefined}
            primaries={status.simulated_primaries}
          />
        </Group>
        <Progress
          value={100 * progress.share}
          size="lg"
          animated={state === 'RUNNING'}
          aria-label={T.primaries(progress.done, progress.total)}
        />
        <Group justify="space-between">
          <Text size="sm">{T.primaries(progress.done, progress.total)}</Text>
          <Text size="sm" c="dimmed">
            {status.remaining_seconds !== undefined && !isFinal(state)
              ? T.eta(duration(status.remaining_seconds))
              : meaning}
          </Text>
        </Group>
        <Notices status={status} state={state} />
      </Stack>
    </Card>
  );
}

/** Why it is as it is. */
function Notices({ status, state }: Pick<JobProps, 'status'> & Pick<ActionsProps, 'state'>) {
  return (
    <>
      {status.stopped === true && (
        <Alert color="blue" variant="light">
          {status.simulated_primaries === undefined || !isFinal(state)
            ? T.stopping
            : T.stopped(stoppedShare(status) ?? 0, status.simulated_primaries)}
        </Alert>
      )}
      {status.failure !== undefined && (
        <Alert color="red" variant="light" title={TEXTS.states.FAILED[0]}>
          {status.failure}
        </Alert>
      )}
      {status.waiting_reason !== undefined && (
        <Alert color="orange" variant="light">
          {status.waiting_reason}
        </Alert>
      )}
    </>
  );
}

/** While the job is open. */
function TellMeOfJob({ jobId, title, state }: Pick<ActionsProps, 'jobId' | 'title' | 'state'>) {
  if (isFinal(state)) return null;
  return <TellMe scope="job" target={jobId} title={title} path={`/jobs/${jobId}`} pending={[jobId]} />;
}

interface ActionsProps {
  readonly jobId: string;
  readonly title: string;
  readonly progress: JobProgress;
  readonly state: JobStatus['job_state'];
  readonly isBatch: boolean;
  /** That its results rest on. */
  readonly primaries: number | undefined;
}

function Actions({ jobId, title, progress, state, isBatch, primaries }: ActionsProps) {
  const navigate = useNavigate();
  const estimators = useQuery({ ...estimatorsQuery(jobId), retry: false });
  const hasResults = (estimators.data?.estimators.length ?? 0) > 0;
  const query = { job_id: jobId };
  const end = useMutation({
    mutationFn: async (act: typeof stopJob | typeof cancelJob) => {
      await act(jobId, isBatch);
      await queryClient.invalidateQueries({ queryKey: ['status', jobId] });
    },
  });
  const remove = useMutation({
    mutationFn: async () => {
      await call('DELETE', '/user/simulations', { query });
      await queryClient.invalidateQueries({ queryKey: ['simulations'] });
      await navigate({ to: '/' });
    },
  });
  const error = end.error ?? remove.error;
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="xs">
        <ButtonLink to="/jobs/$jobId/results" params={{ jobId }} variant={hasResults ? 'filled' : 'light'}>
          {isFinal(state) ? T.results : T.partial}
        </ButtonLink>
        <ButtonLink to="/projects/$projectId" params={{ projectId: 'new' }} search={{ from: jobId }} variant="default">
          {T.repeat}
        </ButtonLink>
        <ButtonLink to="/sweeps/new" search={{ from: jobId }} variant="default">
          {T.sweep}
        </ButtonLink>
        {state === 'COMPLETED' && <ExtendButton variant="default" jobs={[{ jobId, isBatch }]} primaries={primaries} />}
        {isFinal(state) ? (
          <ConfirmButton
            variant="default"
            loading={remove.isPending}
            label={T.remove}
            question={TEXTS.jobs.removeSure(1, title)}
            answer={TEXTS.jobs.removeNow(1)}
            onConfirm={() => remove.mutate()}
          />
        ) : (
          <>
            <Tooltip label={T.stopHint} multiline w={260}>
              <Button variant="default" loading={end.isPending} onClick={() => end.mutate(stopJob)}>
                {T.stop}
              </Button>
            </Tooltip>
            <ConfirmButton
              variant="default"
              loading={end.isPending}
              label={T.cancel}
              question={T.cancelSure(progress.done, progress.total)}
              answer={TEXTS.jobs.cancelNow(1)}
              onConfirm={() => end.mutate(cancelJob)}
            />
          </>
        )}
      </Group>
      {error !== null && <ProblemNotice error={error} />}
    </Stack>
  );
}

function Details({ jobId, status }: JobProps) {
  const live = useLiveJob(jobId);
  const { tasks } = progressOf(status.job_tasks_status, live.tasks);
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack>
          {status.target !== undefined && <Convergence target={status.target} isReached={status.target_reached} />}
          <TaskGrid tasks={tasks} />
          <LabelsCard jobId={jobId} status={status} />
          <Provenance jobId={jobId} status={status} tasks={tasks} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Card withBorder>
          <Tabs defaultValue="logs" keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="logs">{T.logs}</Tabs.Tab>
              <Tabs.Tab value="inputs">{T.inputs}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="logs" pt="sm">
              <Logs jobId={jobId} isRunning={!isFinal(status.job_state)} />
            </Tabs.Panel>
            <Tabs.Panel value="inputs" pt="sm">
              <Inputs jobId={jobId} />
            </Tabs.Panel>
          </Tabs>
        </Card>
      </Grid.Col>
    </Grid>
  );
}
