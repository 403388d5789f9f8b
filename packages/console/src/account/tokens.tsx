import { Button, Card, Checkbox, Group, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.js';
import { queryClient, tokensQuery } from '../api/queries.js';
import { instant, wholeInstant } from '../format.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { ShownOnce } from '../shell/shown-once.js';
import { TEXTS } from '../texts.js';

const T = TEXTS.account;
const DAY_MS = 86_400_000;
const SCOPES = ['read', 'submit'] as const;

/** The user's tokens for scripts: make one, see it once, end it. */
export function Tokens() {
  const tokens = useQuery(tokensQuery);
  const end = useMutation({
    mutationFn: (tokenId: string) => call('DELETE', '/auth/tokens', { query: { token_id: tokenId } }),
    onSettled: () => queryClient.invalidateQueries(tokensQuery),
  });
  return (
    <Card withBorder>
      <Title order={2} size="h5">
        {T.tokens}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {T.tokenLead}
      </Text>
      {tokens.isError && <ProblemNotice error={tokens.error} />}
      {end.isError && <ProblemNotice error={end.error} />}
      {tokens.data?.tokens.length === 0 && <Text size="sm">{T.noTokens}</Text>}
      {tokens.data?.tokens.map((token) => (
        <Group key={token.token_id} justify="space-between" py={6} wrap="nowrap">
          <div>
            <Text size="sm" fw={600}>
              {token.name}
            </Text>
            <Text size="xs" c="dimmed" title={wholeInstant(token.expires_at)}>
              {[
                token.scopes.join(', '),
                T.until(instant(token.expires_at)),
                token.last_used_at === null ? T.never : T.used(instant(token.last_used_at)),
                ...(token.ends_with_sessions ? [T.isBound] : []),
              ].join('; ')}
            </Text>
          </div>
          <Button
            size="compact-sm"
            variant="light"
            color="red"
            onClick={() => end.mutate(token.token_id)}
            aria-label={`${T.end} ${token.name}`}
          >
            {T.end}
          </Button>
        </Group>
      ))}
      <NewToken />
    </Card>
  );
}

function NewToken() {
  const [name, setName] = useState('');
  const [days, setDays] = useState<number>(90);
  const [scopes, setScopes] = useState<readonly string[]>(SCOPES);
  const [isBound, setIsBound] = useState(false);
  const create = useMutation({
    mutationFn: () =>
      call('POST', '/auth/tokens', {
        body: {
          name,
          scopes: SCOPES.filter((scope) => scopes.includes(scope)),
          expires_at: new Date(Date.now() + days * DAY_MS).toISOString(),
          ends_with_sessions: isBound,
        },
      }),
    onSuccess: async () => {
      setName('');
      await queryClient.invalidateQueries(tokensQuery);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Stack gap="xs" mt="md">
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={T.tokenName}
            required
            maxLength={128}
            placeholder="laptop"
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          <NumberInput
            w={120}
            label={T.tokenDays}
            min={1}
            max={366}
            allowDecimal={false}
            value={days}
            onChange={(value) => setDays(Number(value) || 1)}
          />
        </Group>
        <Checkbox.Group label={T.tokenScopes} value={[...scopes]} onChange={setScopes}>
          <Group mt={6}>
            <Checkbox value="read" label={T.read} />
            <Checkbox value="submit" label={T.submit} />
          </Group>
        </Checkbox.Group>
        <Checkbox label={T.bound} checked={isBound} onChange={(e) => setIsBound(e.currentTarget.checked)} />
        {create.isError && <ProblemNotice error={create.error} />}
        <Button type="submit" variant="light" disabled={scopes.length === 0} loading={create.isPending}>
          {T.create}
        </Button>
        {create.data !== undefined && <ShownOnce title={T.once} text={create.data.token} />}
      </Stack>
    </form>
  );
}
