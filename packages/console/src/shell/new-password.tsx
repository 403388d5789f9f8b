import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.js';
import { PASSWORD_TEXTS as T } from '../texts/password.js';
import { LinkPage } from './link-page.js';
import { ProblemNotice } from './problem-notice.js';
import { useLinkToken } from './use-link-token.js';

/** Sets a new password by a link, which works once: its token is the fragment of the address, which no server sees. Without one, asks for a link. */
export function NewPassword() {
  const token = useLinkToken();
  return token === '' ? <AskForLink /> : <SetPassword key={token} token={token} />;
}

function SetPassword({ token }: { readonly token: string }) {
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
    <LinkPage title={T.newTitle} lead={set.isSuccess ? T.isSet : T.newLead} back={T.toSignIn}>
      {!set.isSuccess && (
        <form onSubmit={submit}>
          <Stack>
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
          </Stack>
        </form>
      )}
    </LinkPage>
  );
}

function AskForLink() {
  const [username, setUsername] = useState('');
  const ask = useMutation({ mutationFn: () => call('POST', '/auth/password-reset', { body: { username } }) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  return (
    <LinkPage title={T.forgotTitle} lead={ask.isSuccess ? T.forgotSent : T.forgotLead} back={T.toSignIn}>
      {!ask.isSuccess && (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label={T.username}
              autoComplete="username"
              required
              autoFocus
              value={username}
              onChange={(e) => setUsername(e.currentTarget.value)}
            />
            {ask.isError && <ProblemNotice error={ask.error} />}
            <Button type="submit" loading={ask.isPending}>
              {T.forgotSend}
            </Button>
          </Stack>
        </form>
      )}
    </LinkPage>
  );
}
