import { Alert, Button, Card, Group, Modal, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type JobStatus, queryClient } from '../api/queries.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { LABEL_TEXTS as T } from '../texts/labels.js';
import { changeLabels, labelsOfConflict } from './label-actions.js';

interface LabelsProps {
  readonly jobId: string;
  readonly status: JobStatus;
}

/** Tags and note of a job. */
export function LabelsCard({ jobId, status }: LabelsProps) {
  const { tags = [], note = '', revision = 0 } = status.labels ?? {};
  const change = useMutation({
    mutationFn: (next: readonly string[]) =>
      changeLabels(jobId, {
        add_tags: next.filter((tag) => !tags.includes(tag)),
        remove_tags: tags.filter((tag) => !next.includes(tag)),
      }),
  });
  return (
    <Card withBorder>
      <Stack gap="sm">
        <TagsInput
          label={T.tags}
          placeholder={tags.length === 0 ? T.addTag : ''}
          description={T.tagHint}
          maxTags={20}
          maxLength={64}
          value={change.isPending ? [...change.variables] : [...tags]}
          onChange={(next) => change.mutate(next.map((tag) => tag.trim()).filter((tag) => tag !== ''))}
        />
        {change.isError && <ProblemNotice error={change.error} />}
        <Note jobId={jobId} note={note} revision={revision} />
      </Stack>
    </Card>
  );
}

interface NoteProps {
  readonly jobId: string;
  readonly note: string;
  readonly revision: number;
}

/** The note is saved on request, and never over what somebody else has written meanwhile. */
function Note({ jobId, note, revision }: NoteProps) {
  const [draft, setDraft] = useState<{ readonly text: string; readonly base: string }>();
  const text = draft?.text ?? note;
  useEffect(() => setDraft((before) => (before?.text === note ? undefined : before)), [note]);
  const save = useMutation({
    mutationFn: async (isForced: boolean) => {
      if (isForced) return changeLabels(jobId, { note: text });
      try {
        await changeLabels(jobId, { note: text, revision });
      } catch (err) {
        const now = labelsOfConflict(err);
        if (now === undefined || now.note !== draft?.base) throw err;
        await changeLabels(jobId, { note: text, revision: now.revision }); // something else has changed
      }
    },
    onSuccess: () => setDraft(undefined),
  });
  const hasChanged = draft !== undefined && draft.base !== note && draft.text !== note;
  const theirs = hasChanged ? note : labelsOfConflict(save.error)?.note;
  return (
    <>
      <Textarea
        label={T.note}
        description={T.noteHint}
        autosize
        minRows={2}
        maxRows={16}
        maxLength={10_000}
        value={text}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setDraft((before) => ({ text: value, base: before?.base ?? note }));
        }}
      />
      {draft !== undefined && draft.text !== note && theirs === undefined && (
        <Group>
          <Button size="xs" loading={save.isPending} onClick={() => save.mutate(false)}>
            {T.saveNote}
          </Button>
        </Group>
      )}
      {theirs !== undefined && (
        <Alert color="orange" variant="light" title={T.noteChanged}>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {theirs}
          </Text>
          <Group mt="xs">
            <Button size="xs" variant="default" onClick={() => save.mutate(true)}>
              {T.keepMine}
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                save.reset();
                setDraft(undefined);
                void queryClient.invalidateQueries({ queryKey: ['status', jobId] });
              }}
            >
              {T.takeTheirs}
            </Button>
          </Group>
        </Alert>
      )}
      {save.isError && theirs === undefined && <ProblemNotice error={save.error} />}
    </>
  );
}

/** Gives a job another title. */
export function RenameButton({ jobId, title }: { readonly jobId: string; readonly title: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [text, setText] = useState(title);
  const rename = useMutation({ mutationFn: () => changeLabels(jobId, { title: text }), onSuccess: close });
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        onClick={() => {
          setText(title);
          open();
        }}
      >
        {T.rename}
      </Button>
      <Modal opened={isOpen} onClose={close} title={T.renameNow} centered>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            rename.mutate();
          }}
        >
          <TextInput
            label={T.title}
            value={text}
            maxLength={256}
            data-autofocus
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {rename.isError && <ProblemNotice error={rename.error} />}
          <Group justify="flex-end" mt="md">
            <Button type="submit" loading={rename.isPending} disabled={text.trim() === ''}>
              {T.rename}
            </Button>
          </Group>
        </form>
      </Modal>
    </>
  );
}

/** Leaves a job out of the list, or takes it back. */
export function ArchiveButton({ jobId, isArchived }: { readonly jobId: string; readonly isArchived: boolean }) {
  const archive = useMutation({ mutationFn: () => changeLabels(jobId, { archived: !isArchived }) });
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      loading={archive.isPending}
      title={T.archiveHint}
      onClick={() => archive.mutate()}
    >
      {isArchived ? T.unarchive : T.archive}
    </Button>
  );
}
