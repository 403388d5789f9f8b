import { Alert, Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../api/queries.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { ADMIN_TEXTS as T } from '../texts/admin.js';
import { type QuotaFields, QuotaInputs, toFields } from './quota-fields.js';

/** What an operator is about to do. */
export interface Act {
  readonly title: string;
  /** What it is done to. */
  readonly target: string;
  /** What is lost. */
  readonly warning?: string;
  /** Who reads the reason, unless it is the trail alone. */
  readonly hint?: string;
  /** Label of a sentence that users read; absent: none is asked for. */
  readonly sentence?: string;
  /** The quota as it is, to be changed; absent: none is asked for. */
  readonly quota?: QuotaFields;
  readonly run: (reason: string, sentence: string, quota: QuotaFields) => Promise<unknown>;
  /** Shows what came of it, instead of closing. */
  readonly show?: (result: unknown) => ReactNode;
}

/** Asks why, does it, and reads all lists of operators again. */
export function ReasonModal({ act, onClose }: { readonly act: Act | undefined; readonly onClose: () => void }) {
  return (
    <Modal opened={act !== undefined} onClose={onClose} title={act?.title} centered transitionProps={{ duration: 0 }}>
      {act !== undefined && <Asking act={act} onClose={onClose} />}
    </Modal>
  );
}

function Asking({ act, onClose }: { readonly act: Act; readonly onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [sentence, setSentence] = useState('');
  const [quota, setQuota] = useState(act.quota ?? toFields(undefined));
  const doing = useMutation({
    mutationFn: () => act.run(reason, sentence, quota),
    onSuccess: () => (act.show === undefined ? onClose() : undefined),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  });
  if (doing.isSuccess) return act.show?.(doing.data);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        doing.mutate();
      }}
    >
      <Stack>
        <div style={{ overflowWrap: 'anywhere' }}>{act.target}</div>
        {act.warning !== undefined && (
          <Alert color="red" variant="light">
            {act.warning}
          </Alert>
        )}
        {act.sentence !== undefined && (
          <Textarea
            label={act.sentence}
            required
            maxLength={500}
            value={sentence}
            onChange={(e) => setSentence(e.currentTarget.value.replaceAll('\n', ' '))}
          />
        )}
        {act.quota !== undefined && <QuotaInputs value={quota} onChange={setQuota} />}
        <TextInput
          label={T.reason}
          description={act.hint ?? T.reasonHint}
          required
          maxLength={500}
          data-autofocus
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
        {doing.isError && <ProblemNotice error={doing.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {T.cancel}
          </Button>
          <Button type="submit" loading={doing.isPending}>
            {act.title}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
