import {
  Alert,
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
import { Removals } from '../jobs/removals.js';
import { LabelsCard } from '../labels/labels-card.js';
import { type Access, accessQuery, isShut } from '../people/queries.js';
import { ConfirmButton } from '../shell/confirm-button.js';
import { ButtonLink } from '../shell/links.js';
import { NoJob } from '../shell/no-job.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { TEXTS } from '../texts.js';
import { Convergence } from './convergence-card.js';
import { ExtendButton } from './extend.js';
import { Inputs } from './inputs.js';
import { Logs } from './logs.js';
import { Names } from './names.js';
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
  const access = useQuery(accessQuery({ job_id: jobId }));
  useLiveStatus(jobId);
  usePageTitle(title);
  if (isShut(access.error)) {
    return (
      <Container size="md" py="lg">
        <NoJob error={access.error} onRetry={() => void access.refetch()} />
      </Container>
    );
  }
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
        <Head jobId={jobId} title={title} status={status.data} access={access.data} />
        <Details jobId={jobId} status={status.data} access={access.data} />
      </Stack>
    </Container>
  );
}

interface JobProps {
  readonly jobId: string;
  readonly status: JobStatus;
  /** Undefined until it is known. */
  readonly access: Access | undefined;
}

function Head({ jobId, title, status, access }: JobProps & { readonly title: string }) {
  const live = useLiveJob(jobId);
  const progress = progressOf(status.job_tasks_status, live.tasks);
  const state = isFinal(status.job_state) ? status.job_state : (live.state ?? status.job_state);
  const [, meaning] = TEXTS.states[state];
  return (
    <Card withBorder padding="lg">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Names jobId={jobId} title={title} status={status} access={access} state={state} />
          <Actions
            jobId={jobId}
            title={title}
            progress={progress}
            state={state}
            isBatch={status.cluster_name !== undefined}
            primaries={status.simulated_primaries}
            actions={access?.actions ?? []}
            isGuest={access?.owner === null}
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
        {isFinal(state) && access?.actions.includes('share') === true && (
          <Group gap="xs">
            <Removals jobId={jobId} isWhole />
          </Group>
        )}
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

interface ActionsProps {
  readonly jobId: string;
  readonly title: string;
  readonly progress: JobProgress;
  readonly state: JobStatus['job_state'];
  readonly isBatch: boolean;
  /** That its results rest on. */
  readonly primaries: number | undefined;
  readonly actions: Access['actions'];
  /** Whether nobody is signed in. */
  readonly isGuest: boolean;
}

function Actions({ jobId, title, progress, state, isBatch, primaries, actions, isGuest }: ActionsProps) {
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
        {!isGuest && (
          <>
            <ButtonLink
              to="/projects/$projectId"
              params={{ projectId: 'new' }}
              search={{ from: jobId }}
              variant="default"
            >
              {T.repeat}
            </ButtonLink>
            <ButtonLink to="/sweeps/new" search={{ from: jobId }} variant="default">
              {T.sweep}
            </ButtonLink>
          </>
        )}
        {state === 'COMPLETED' && actions.includes('change') && (
          <ExtendButton variant="default" jobs={[{ jobId, isBatch }]} primaries={primaries} />
        )}
        {isFinal(state) && actions.includes('delete') && (
          <ConfirmButton
            variant="default"
            loading={remove.isPending}
            label={T.remove}
            question={TEXTS.jobs.removeSure(1, title)}
            answer={TEXTS.jobs.removeNow(1)}
            onConfirm={() => remove.mutate()}
          />
        )}
        {!isFinal(state) && actions.includes('change') && (
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

function Details({ jobId, status, access }: JobProps) {
  const live = useLiveJob(jobId);
  const { tasks } = progressOf(status.job_tasks_status, live.tasks);
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack>
          {status.target !== undefined && <Convergence target={status.target} isReached={status.target_reached} />}
          <TaskGrid tasks={tasks} />
          {access?.actions.includes('change') === true && <LabelsCard jobId={jobId} status={status} />}
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
