import {
  Anchor,
  Button,
  Card,
  Center,
  Divider,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.js';
import { queryClient, ssoQuery } from '../api/queries.js';
import { TEXTS } from '../texts.js';
import { Logo } from './logo.js';
import { ProblemNotice } from './problem-notice.js';
import { canRedirect, redirectToRealm, type SsoRealm } from './sso.js';

type Mode = 'password' | 'register' | 'sso';
const T = TEXTS.signIn;

interface Given {
  readonly username: string;
  readonly password: string;
  readonly ssoToken: string;
}

async function open(mode: Mode, { username, password, ssoToken }: Given): Promise<void> {
  if (mode === 'sso') await call('POST', '/auth/sso', { body: { sso_token: ssoToken.trim() } });
  else {
    if (mode === 'register') await call('PUT', '/auth/register', { body: { username, password } });
    await call('POST', '/auth/login', { body: { username, password } });
  }
  await queryClient.invalidateQueries();
}

/** Signs in through the realm, by password, or by a token of the realm; registers where the deployment lets people. */
export function SignIn({ hasExpired }: { readonly hasExpired: boolean }) {
  const [mode, setMode] = useState<Mode>('password');
  const [given, setGiven] = useState<Given>({ username: '', password: '', ssoToken: '' });
  const sso = useQuery(ssoQuery);
  const realm = sso.data?.sso;
  const login = useMutation({ mutationFn: () => open(mode, given) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate();
  };
  const change = (next: Mode) => {
    setMode(next);
    login.reset();
  };
  return (
    <Center mih="100vh" p="md" component="main">
      <Card w="100%" maw={420} padding="xl" shadow="md" withBorder>
        <form onSubmit={submit}>
          <Stack>
            <Logo size={44} />
            <Title order={1} size="h2">
              {mode === 'register' ? T.register : T.title}
            </Title>
            <Text c="dimmed" size="sm">
              {hasExpired ? T.expired : T.lead}
            </Text>
            {canRedirect(realm) && mode === 'password' && <RealmButton realm={realm} />}
            <Fields mode={mode} given={given} onChange={setGiven} />
            {login.isError && <ProblemNotice error={login.error} />}
            <Button type="submit" loading={login.isPending}>
              {mode === 'register' ? T.register : T.submit}
            </Button>
            <Anchor
              component="button"
              type="button"
              size="sm"
              onClick={() => change(mode === 'password' ? 'register' : 'password')}
            >
              {mode === 'password' ? T.toRegister : T.toSignIn}
            </Anchor>
            {mode === 'password' && (
              <Anchor href="/console/password" size="sm">
                {T.forgot}
              </Anchor>
            )}
            {mode !== 'sso' && realm !== null && !sso.isPending && (
              <Anchor component="button" type="button" size="sm" onClick={() => change('sso')}>
                {T.sso}
              </Anchor>
            )}
          </Stack>
        </form>
      </Card>
    </Center>
  );
}

interface FieldsProps {
  readonly mode: Mode;
  readonly given: Given;
  readonly onChange: (given: Given) => void;
}

function Fields({ mode, given, onChange }: FieldsProps) {
  if (mode === 'sso') {
    return (
      <Textarea
        label={T.ssoToken}
        description={T.ssoHint}
        minRows={4}
        autosize
        maxRows={8}
        required
        value={given.ssoToken}
        onChange={(e) => onChange({ ...given, ssoToken: e.currentTarget.value })}
      />
    );
  }
  return (
    <>
      <TextInput
        label={T.username}
        autoComplete="username"
        required
        autoFocus
        value={given.username}
        onChange={(e) => onChange({ ...given, username: e.currentTarget.value })}
      />
      <PasswordInput
        label={T.password}
        autoComplete={mode === 'register' ? 'new-password' : 'current-password'}
        required
        value={given.password}
        onChange={(e) => onChange({ ...given, password: e.currentTarget.value })}
      />
    </>
  );
}

/** The way of institutions, above passwords of our own. */
function RealmButton({ realm }: { readonly realm: SsoRealm }) {
  const leave = useMutation({ mutationFn: () => redirectToRealm(realm) });
  return (
    <>
      <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
        {T.realm(new URL(realm.issuer).host)}
      </Button>
      {leave.isError && <ProblemNotice error={leave.error} />}
      <Divider label={T.or} />
    </>
  );
}
