import { Alert, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../api/client.js';
import { emailQuery, queryClient } from '../api/queries.js';
import { ConfirmButton } from '../shell/confirm-button.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { EMAIL_TEXTS as T } from '../texts/email.js';
import { AddressForm } from './address-form.js';
import { Section } from './section.js';

/** The user's address, and how to change it. */
export function Email() {
  const { data, error } = useQuery(emailQuery);
  const change = useMutation({
    mutationFn: (email: string) => call('PUT', '/user/email', { body: { email } }),
    onSettled: () => queryClient.invalidateQueries(emailQuery),
  });
  const fault = error ?? change.error;
  return (
    <Section title={T.title}>
      <Text size="sm" c="dimmed" mb="sm">
        {T.lead}
      </Text>
      {fault !== null && <ProblemNotice error={fault} />}
      {data !== undefined && (
        <Group justify="space-between" mb="sm" wrap="nowrap">
          <Text size="sm" fw={data.email === null ? undefined : 600} style={{ overflowWrap: 'anywhere' }}>
            {data.email ?? T.none}
          </Text>
          {data.email !== null && (
            <ConfirmButton
              size="compact-sm"
              variant="light"
              color="red"
              label={T.remove}
              question={T.removeQuestion}
              answer={T.remove}
              onConfirm={() => change.mutate('')}
            />
          )}
        </Group>
      )}
      {data?.mail_available === false && <Text size="sm">{T.off}</Text>}
      {data?.mail_available === true && (
        <AddressForm
          type="email"
          label={T.address}
          action={T.change}
          isPending={change.isPending}
          onSubmit={(address) => change.mutate(address)}
        />
      )}
      {change.isSuccess && change.variables !== '' && (
        <Alert color="teal" variant="light" role="status" mt="sm">
          {T.sent(change.variables)}
        </Alert>
      )}
    </Section>
  );
}
