import { Badge, Button, Card, Group, Text, Title, Tooltip } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../api/client.js';
import { queryClient, sessionsQuery } from '../api/queries.js';
import { instant, wholeInstant } from '../format.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { signOut } from '../shell/sign-out.js';
import { TEXTS } from '../texts.js';

const T = TEXTS.account;

/** Where the user is logged in. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: (sessionId: string) => call('DELETE', '/auth/sessions', { query: { session_id: sessionId } }),
    onSettled: () => queryClient.invalidateQueries(sessionsQuery),
  });
  const all = useMutation({ mutationFn: () => signOut(true) });
  const error = sessions.error ?? end.error ?? all.error;
  return (
    <Card withBorder>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          {T.sessions}
        </Title>
        <Button size="compact-sm" variant="light" color="red" loading={all.isPending} onClick={() => all.mutate()}>
          {TEXTS.nav.everywhere}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {T.sessionsLead}
      </Text>
      {error !== null && <ProblemNotice error={error} />}
      {sessions.data?.sessions.map(
        ({ session_id: id, created_at: since, expires_at: until, is_current: isCurrent }) => (
          <Group key={id} justify="space-between" py={4} wrap="nowrap">
            <Group gap="xs">
              <Tooltip label={`${wholeInstant(since)} – ${wholeInstant(until)}`}>
                <Text size="sm" tabIndex={0}>
                  {T.since(instant(since))}, {T.until(instant(until))}
                </Text>
              </Tooltip>
              {isCurrent && (
                <Badge variant="light" tt="none">
                  {T.current}
                </Badge>
              )}
            </Group>
            {!isCurrent && (
              <Button
                size="compact-sm"
                variant="light"
                color="red"
                onClick={() => end.mutate(id)}
                aria-label={`${T.end} ${instant(since)}`}
              >
                {T.end}
              </Button>
            )}
          </Group>
        ),
      )}
    </Card>
  );
}
