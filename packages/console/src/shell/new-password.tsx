import { Anchor, Button, Card, Center, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.js';
import { PASSWORD_TEXTS as T } from '../texts/password.js';
import { Logo } from './logo.js';
import { ProblemNotice } from './problem-notice.js';

/** Sets a new password by a link, which works once; the token is the fragment of the address, which no server sees. */
export function NewPassword() {
  const [token] = useState(() => location.hash.slice(1));
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const set = useMutation({
    mutationFn: () => call('POST', '/auth/password-reset/confirm', { body: { token, new_password: next } }),
    onSuccess: () => history.replaceState(null, '', location.pathname), // it is used up: the address need not keep it
  });
  const isDifferent = again !== '' && again !== next;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDifferent) set.mutate();
  };
  return (
    <Center mih="100vh" p="md" component="main">
      <Card w="100%" maw={420} padding="xl" shadow="md" withBorder>
        <form onSubmit={submit}>
          <Stack>
            <Logo size={44} />
            <Title order={1} size="h2">
              {T.newTitle}
            </Title>
            <Text c="dimmed" size="sm" role="status">
              {set.isSuccess ? T.isSet : token === '' ? T.noToken : T.newLead}
            </Text>
            {!set.isSuccess && token !== '' && (
              <>
                <PasswordInput
                  label={T.next}
                  autoComplete="new-password"
                  required
                  autoFocus
                  value={next}
                  onChange={(e) => setNext(e.currentTarget.value)}
                />
                <PasswordInput
                  label={T.again}
                  autoComplete="new-password"
                  required
                  value={again}
                  error={isDifferent ? T.different : undefined}
                  onChange={(e) => setAgain(e.currentTarget.value)}
                />
                {set.isError && <ProblemNotice error={set.error} />}
                <Button type="submit" loading={set.isPending}>
                  {T.set}
                </Button>
              </>
            )}
            <Anchor size="sm" href="/console/">
              {T.toSignIn}
            </Anchor>
          </Stack>
        </form>
      </Card>
    </Center>
  );
}
