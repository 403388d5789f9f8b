import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { ADMIN_TEXTS } from '../texts/admin.js';
import { CLASS_TEXTS as T } from '../texts/classes.js';
import { type ListedClass, refreshClasses } from './queries.js';
import { hoursOf, QuotaInputs, toBounds } from './quota-fields.js';

/** Changes what each student may use. */
export function QuotaButton({ one }: { readonly one: ListedClass }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="light" onClick={open}>
        {T.quota}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={`${T.quota}: ${one.name}`}
        centered
        transitionProps={{ duration: 0 }}
      >
        {isOpen && <Quota one={one} onClose={close} />}
      </Modal>
    </>
  );
}

function Quota({ one, onClose }: { readonly one: ListedClass; readonly onClose: () => void }) {
  const { processor_seconds_month = null, stored_bytes = null, running_tasks = null } = one.students[0]?.quota ?? {};
  const [fields, setFields] = useState({
    hours: (hoursOf(processor_seconds_month) ?? '') as number | string,
    tasks: (running_tasks ?? '') as number | string,
  });
  const [reason, setReason] = useState('');
  const change = useMutation({
    mutationFn: () =>
      call('PUT', '/admin/classes/quota', {
        body: { class_id: one.class_id, ...toBounds(fields), stored_bytes, reason },
      }),
    onSuccess: async () => {
      await refreshClasses();
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <QuotaInputs value={fields} onChange={setFields} />
        <TextInput
          label={ADMIN_TEXTS.reason}
          description={ADMIN_TEXTS.reasonHint}
          required
          maxLength={500}
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
        {change.isError && <ProblemNotice error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {T.cancel}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {T.quota}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
