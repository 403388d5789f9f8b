import { Badge, Group, Text, Title } from '@mantine/core';
import { isFinal, type JobStatus } from '../api/queries.js';
import { personName } from '../format.js';
import { ArchiveButton, RenameButton } from '../labels/labels-card.js';
import { StarButton } from '../labels/star-button.js';
import { TellMe } from '../notify/tell-me.js';
import type { Access } from '../people/queries.js';
import { ShareButton } from '../people/share-button.js';
import { StateBadge } from '../shell/state-badge.js';
import { LABEL_TEXTS } from '../texts/labels.js';
import { PEOPLE_TEXTS } from '../texts/people.js';
import { VIEW_TEXTS } from '../texts/views.js';
import { Description } from './description.js';
import { stoppedShare } from './stopped.js';

interface NamesProps {
  readonly jobId: string;
  readonly title: string;
  readonly status: JobStatus;
  readonly access: Access | undefined;
  readonly state: JobStatus['job_state'];
}

/** What a job is called, what it is, and whose. */
export function Names({ jobId, title, status, access, state }: NamesProps) {
  const may = (action: Access['actions'][number]) => access?.actions.includes(action) === true;
  return (
    <div>
      <Group gap="sm">
        {may('change') && <StarButton jobId={jobId} title={title} isFavourite={status.labels?.favourite === true} />}
        <Title order={1} size="h3">
          {title}
        </Title>
        {status.labels?.archived === true && (
          <Badge variant="outline" color="gray">
            {LABEL_TEXTS.isArchived}
          </Badge>
        )}
        <StateBadge state={state} size="lg" isFocusable stoppedAt={isFinal(state) ? stoppedShare(status) : undefined} />
      </Group>
      <Description of={status.description} />
      <Group gap="xs">
        <Text size="xs" c="dimmed" ff="monospace">
          {jobId}
        </Text>
        {may('change') && (
          <>
            <RenameButton jobId={jobId} title={title} />
            {access?.is_owner === true && <TellMeOfJob jobId={jobId} title={title} state={state} />}
            <ArchiveButton jobId={jobId} isArchived={status.labels?.archived === true} />
          </>
        )}
        {may('share') && <ShareButton of={{ job_id: jobId }} title={title} />}
      </Group>
      {access !== undefined && !access.is_owner && <Whose access={access} />}
    </div>
  );
}

/** Whose a job is that belongs to another user. */
function Whose({ access: { owner, group, actions } }: { readonly access: Access }) {
  const words = [
    ...(owner === null ? [] : [VIEW_TEXTS.of(personName(owner))]),
    ...(group === null ? [] : [PEOPLE_TEXTS.inGroup(group.name)]),
    ...(actions.includes('change') ? [] : [PEOPLE_TEXTS.readOnly]),
  ];
  return (
    <Badge variant="light" tt="none" data-whose>
      {words.join(', ')}
    </Badge>
  );
}

/** While the job is open. */
function TellMeOfJob({ jobId, title, state }: Pick<NamesProps, 'jobId' | 'title' | 'state'>) {
  if (isFinal(state)) return null;
  return <TellMe scope="job" target={jobId} title={title} path={`/jobs/${jobId}`} pending={[jobId]} />;
}
