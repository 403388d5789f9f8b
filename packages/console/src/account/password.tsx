import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.js';
import { queryClient, sessionsQuery, userQuery } from '../api/queries.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { PASSWORD_TEXTS as T } from '../texts/password.js';
import { Section } from './section.js';

const EMPTY = { current: '', next: '', again: '' };

/** A new password, for users whose password is kept here. */
export function Password() {
  const user = useQuery(userQuery);
  const [given, setGiven] = useState(EMPTY);
  const change = useMutation({
    mutationFn: () =>
      call('POST', '/user/update', { body: { current_password: given.current, new_password: given.next } }),
    onSuccess: async () => {
      setGiven(EMPTY);
      await queryClient.invalidateQueries(sessionsQuery);
    },
  });
  if (user.data?.source !== 'local') return null;
  const isDifferent = given.again !== '' && given.again !== given.next;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDifferent) change.mutate();
  };
  const field = (name: keyof typeof EMPTY, label: string, autoComplete: string) => (
    <PasswordInput
      label={label}
      autoComplete={autoComplete}
      required
      value={given[name]}
      error={name === 'again' && isDifferent ? T.different : undefined}
      onChange={(e) => {
        setGiven({ ...given, [name]: e.currentTarget.value });
        change.reset();
      }}
    />
  );
  return (
    <Section title={T.title}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {T.lead}
          </Text>
          {field('current', T.current, 'current-password')}
          {field('next', T.next, 'new-password')}
          {field('again', T.again, 'new-password')}
          {change.isError && <ProblemNotice error={change.error} />}
          {change.isSuccess && (
            <Alert color="teal" variant="light" role="status">
              {T.changed}
            </Alert>
          )}
          <Button type="submit" variant="light" loading={change.isPending} style={{ alignSelf: 'start' }}>
            {T.change}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
