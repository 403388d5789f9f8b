import { Button, Card, Group, Modal, Stack, TagsInput, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/client.js';
import { cancelJob, stopJob } from '../api/job-actions.js';
import { isFinal, mayDo, type Simulation } from '../api/queries.js';
import { ExtendButton } from '../job/extend.js';
import { changeLabelsOf, SomeRefused, toEach } from '../labels/label-actions.js';
import { saveFile } from '../results/save.js';
import { ConfirmButton } from '../shell/confirm-button.js';
import { ButtonLink } from '../shell/links.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { LABEL_TEXTS } from '../texts/labels.js';
import { TEXTS } from '../texts.js';

const T = { ...TEXTS.jobs, ...LABEL_TEXTS };

type Action = 'stop' | 'cancel' | 'delete' | 'archive' | 'unarchive' | 'export';
/** Browsers drop files that are saved at the same moment. */
const EXPORT_PAUSE_MS = 800;

/** What an action is for: stops or cancels what runs, deletes or exports what has ended; of others' jobs those that may be. */
function aimsOf(jobs: readonly Simulation[], action: Action): readonly Simulation[] {
  const needed = action === 'export' ? 'read' : action === 'delete' ? 'delete' : 'change';
  const allowed = jobs.filter((job) => mayDo(job, needed));
  if (action === 'archive' || action === 'unarchive') return allowed;
  return allowed.filter(({ job_state: state }) => isFinal(state) === (action === 'delete' || action === 'export'));
}

/** Does it to each job by itself. @throws SomeRefused */
async function actOn(jobs: readonly Simulation[], action: Action): Promise<void> {
  const aims = aimsOf(jobs, action);
  if (action === 'archive' || action === 'unarchive') {
    return changeLabelsOf(
      aims.map(({ job_id: jobId }) => jobId),
      { archived: action === 'archive' },
    );
  }
  if (action === 'export') return exportJobs(aims);
  return toEach(aims, ({ job_id: jobId, platform }) => {
    if (action === 'delete') return call('DELETE', '/user/simulations', { query: { job_id: jobId } });
    return action === 'stop' ? stopJob(jobId, platform === 'batch') : cancelJob(jobId, platform === 'batch');
  });
}

/** One file after the other. */
async function exportJobs(jobs: readonly Simulation[]): Promise<void> {
  for (const { job_id: jobId } of jobs) {
    await saveFile(`${jobId}.crate.zip`, `/jobs/crate?job_id=${encodeURIComponent(jobId)}`);
    await new Promise((resolve) => setTimeout(resolve, EXPORT_PAUSE_MS));
  }
}

/** What went wrong with some of several jobs. */
function Refusals({ error }: { readonly error: unknown }) {
  if (!(error instanceof SomeRefused)) return <ProblemNotice error={error} />;
  return (
    <Stack gap={4} mt="xs">
      {error.count > 1 && <Text size="sm">{T.failedOf(error.refusedCount, error.count)}</Text>}
      <ProblemNotice error={error.cause} />
    </Stack>
  );
}

function TagButton({ jobs, onDone }: SelectionProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const [tags, setTags] = useState<string[]>([]);
  const tag = useMutation({
    mutationFn: () =>
      changeLabelsOf(
        jobs.map(({ job_id: jobId }) => jobId),
        { add_tags: tags },
      ),
    onSuccess: () => {
      close();
      setTags([]);
      onDone();
    },
  });
  return (
    <>
      <Button size="xs" variant="light" disabled={jobs.length === 0} onClick={open}>
        {T.tag}
      </Button>
      <Modal opened={isOpen} onClose={close} title={T.addTags(jobs.length)} centered>
        <TagsInput
          label={T.tags}
          description={T.tagHint}
          maxTags={20}
          maxLength={64}
          acceptValueOnBlur
          data-autofocus
          value={tags}
          onChange={setTags}
        />
        {tag.isError && <Refusals error={tag.error} />}
        <Group justify="flex-end" mt="md">
          <Button loading={tag.isPending} disabled={tags.length === 0} onClick={() => tag.mutate()}>
            {T.addTags(jobs.length)}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

interface SelectionProps {
  readonly jobs: readonly Simulation[];
  readonly onDone: () => void;
}

interface KeepingProps extends SelectionProps {
  readonly isActing: boolean;
  readonly onAct: (action: Action) => void;
}

/** What leaves the jobs as they are: tags, archive and export. */
function Keeping({ jobs, isActing, onAct, onDone }: KeepingProps) {
  const own = aimsOf(jobs, 'archive');
  const isArchived = own.length > 0 && own.every(({ labels }) => labels?.archived === true);
  return (
    <>
      <TagButton jobs={own} onDone={onDone} />
      <Button
        size="xs"
        variant="light"
        title={T.archiveHint}
        disabled={own.length === 0}
        loading={isActing}
        onClick={() => onAct(isArchived ? 'unarchive' : 'archive')}
      >
        {isArchived ? T.unarchive : T.archive}
      </Button>
      <Tooltip label={T.exportHint} multiline w={260}>
        <Button
          size="xs"
          variant="light"
          disabled={aimsOf(jobs, 'export').length === 0}
          loading={isActing}
          onClick={() => onAct('export')}
        >
          {T.export}
        </Button>
      </Tooltip>
    </>
  );
}

/** What can be done with the jobs that are selected. */
export function Selection({ jobs, onDone }: SelectionProps) {
  const navigate = useNavigate();
  const act = useMutation({
    mutationFn: (action: Action) => actOn(jobs, action),
    onSuccess: onDone,
  });
  if (jobs.length === 0) return undefined;
  const running = aimsOf(jobs, 'cancel').length;
  const removable = aimsOf(jobs, 'delete');
  const ended = jobs.flatMap((job) =>
    job.job_state === 'COMPLETED' && mayDo(job, 'change')
      ? [{ jobId: job.job_id, isBatch: job.platform === 'batch' }]
      : [],
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
          disabled={removable.length === 0}
          loading={act.isPending}
          label={T.remove}
          question={T.removeSure(removable.length, removable[0]?.title ?? '')}
          answer={T.removeNow(removable.length)}
          onConfirm={() => act.mutate('delete')}
        />
        <Keeping jobs={jobs} isActing={act.isPending} onAct={act.mutate} onDone={onDone} />
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
      {act.isError && <Refusals error={act.error} />}
    </Card>
  );
}
