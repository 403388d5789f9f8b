import { Alert, Button, Divider, Group, Modal, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import { wholeInstant } from '../format.js';
import { CopyButton } from '../shell/copy-button.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { wholeLink } from '../shell/shown-once.js';
import { PEOPLE_TEXTS as T } from '../texts/people.js';
import { GroupChoice, useGroupChoices } from './group-choice.js';
import { type ResourceId, type Share, sharesQuery } from './queries.js';

const DAY_MS = 86_400_000;

interface ShareProps {
  readonly of: ResourceId;
  readonly title: string;
}

/** Opens the dialog in which an owner decides who else has access. */
export function ShareButton({ of, title }: ShareProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="subtle" size="compact-xs" onClick={open}>
        {T.share}
      </Button>
      <ShareDialog of={of} title={title} isOpen={isOpen} onClose={close} />
    </>
  );
}

interface DialogProps extends ShareProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The dialog by itself, for who has a way to it of his own. */
export function ShareDialog({ of, title, isOpen, onClose }: DialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={T.shareTitle(title)} size="lg" centered>
      {isOpen && <Sharing of={of} />}
    </Modal>
  );
}

/** All of the dialog. */
function Sharing({ of }: { readonly of: ResourceId }) {
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['shares', of] });
  const share = useMutation({
    mutationFn: (body: object) => call('POST', '/shares', { body: { ...of, ...body } as never }),
    onSuccess: refresh,
  });
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {T.shareLead}
      </Text>
      <WithUser onShare={(username) => share.mutate({ with: 'user', username })} isPending={share.isPending} />
      <WithGroup onShare={(groupId) => share.mutate({ with: 'group', group_id: groupId })} />
      <ByLink onShare={(end) => share.mutate({ with: 'link', expires_at: end })} />
      {share.data?.path !== undefined && <NewLink path={share.data.path} />}
      {share.isError && <ProblemNotice error={share.error} />}
      <Divider />
      <Belongs of={of} />
      <WhoHas of={of} onChange={() => void refresh()} />
    </Stack>
  );
}

function WithUser({
  onShare,
  isPending,
}: {
  readonly onShare: (username: string) => void;
  readonly isPending: boolean;
}) {
  const [username, setUsername] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (username.trim() !== '') onShare(username);
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          flex="1 1 200px"
          label={T.addPeople}
          description={T.addPeopleHint}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          data-autofocus
        />
        <Button type="submit" loading={isPending}>
          {T.add}
        </Button>
      </Group>
    </form>
  );
}

function WithGroup({ onShare }: { readonly onShare: (groupId: string) => void }) {
  const choices = useGroupChoices();
  if (choices.length === 0) return undefined;
  return (
    <Select
      label={T.withGroup}
      placeholder={T.pickGroup}
      data={choices}
      value={null}
      onChange={(groupId) => groupId !== null && onShare(groupId)}
    />
  );
}

function ByLink({ onShare }: { readonly onShare: (end: string) => void }) {
  const [days, setDays] = useState<number | string>(7);
  return (
    <Group align="flex-end">
      <NumberInput
        flex="1 1 200px"
        label={T.linkDays}
        description={T.linkLead}
        min={1}
        max={366}
        value={days}
        onChange={setDays}
      />
      <Button
        variant="default"
        onClick={() => onShare(new Date(Date.now() + Number(days || 1) * DAY_MS).toISOString())}
      >
        {T.makeLink}
      </Button>
    </Group>
  );
}

function NewLink({ path }: { readonly path: string }) {
  const url = wholeLink(path);
  return (
    <Alert color="blue" variant="light">
      <Text size="sm">{T.linkOnce}</Text>
      <Group wrap="nowrap" mt="xs">
        <TextInput readOnly flex={1} value={url} aria-label={T.withLink} onFocus={(event) => event.target.select()} />
        <CopyButton text={url} label={T.copyLink} />
      </Group>
    </Alert>
  );
}

function Belongs({ of }: { readonly of: ResourceId }) {
  const shares = useQuery(sharesQuery(of));
  const give = useMutation({
    mutationFn: (groupId: string | undefined) =>
      call('PUT', '/shares/group', { body: { ...of, group_id: groupId ?? null } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['shares', of] }),
  });
  const current = shares.data?.group ?? undefined;
  return (
    <>
      <GroupChoice groupId={current?.group_id} onChange={give.mutate} current={current} />
      {give.isError && <ProblemNotice error={give.error} />}
    </>
  );
}

const nameOf = (share: Share): string =>
  share.user?.username ?? (share.group === undefined ? T.withLink : T.inGroup(share.group.name));

function WhoHas({ of, onChange }: { readonly of: ResourceId; readonly onChange: () => void }) {
  const shares = useQuery(sharesQuery(of));
  const end = useMutation({
    mutationFn: (shareId: string) => call('DELETE', '/shares', { query: { share_id: shareId } }),
    onSettled: onChange,
  });
  return (
    <div>
      <Text fw={600} size="sm" mb={4}>
        {T.whoHas}
      </Text>
      {shares.isError && <ProblemNotice error={shares.error} onRetry={() => void shares.refetch()} />}
      {shares.data?.shares.length === 0 && <Text size="sm">{T.onlyYou}</Text>}
      {shares.data?.shares.map((share) => (
        <Group key={share.share_id} justify="space-between" py={4} wrap="nowrap" data-share={share.with}>
          <Text size="sm">
            {nameOf(share)}
            {share.expires_at !== null && (
              <Text span size="xs" c="dimmed">
                {` ${T.until(wholeInstant(share.expires_at))}`}
              </Text>
            )}
          </Text>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={T.removeFrom(nameOf(share))}
            onClick={() => end.mutate(share.share_id)}
          >
            {T.remove}
          </Button>
        </Group>
      ))}
      {end.isError && <ProblemNotice error={end.error} />}
    </div>
  );
}
