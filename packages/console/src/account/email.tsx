import { Alert, Button, Card, Group, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.js';
import { emailQuery, queryClient } from '../api/queries.js';
import { ConfirmButton } from '../shell/confirm-button.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { EMAIL_TEXTS as T } from '../texts/email.js';

/** The user's address, and how to change it. */
export function Email() {
  const { data, error } = useQuery(emailQuery);
  const [given, setGiven] = useState('');
  const change = useMutation({
    mutationFn: (email: string) => call('PUT', '/user/email', { body: { email } }),
    onSettled: () => queryClient.invalidateQueries(emailQuery),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(given);
  };
  const fault = error ?? change.error;
  return (
    <Card withBorder component="section" aria-label={T.title}>
      <Title order={2} size="h5" mb="sm">
        {T.title}
      </Title>
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
        <form onSubmit={submit}>
          <Group align="end" gap="sm">
            <TextInput
              type="email"
              label={T.address}
              autoComplete="email"
              required
              style={{ flex: 1, minWidth: 200 }}
              value={given}
              onChange={(e) => setGiven(e.currentTarget.value)}
            />
            <Button type="submit" variant="light" loading={change.isPending}>
              {T.change}
            </Button>
          </Group>
        </form>
      )}
      {change.isSuccess && change.variables !== '' && (
        <Alert color="teal" variant="light" role="status" mt="sm">
          {T.sent(change.variables)}
        </Alert>
      )}
    </Card>
  );
}
