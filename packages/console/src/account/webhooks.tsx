import { Alert, Button, Card, Code, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, type Output } from '../api/client.js';
import { queryClient, webhooksQuery } from '../api/queries.js';
import { instant } from '../format.js';
import { ConfirmButton } from '../shell/confirm-button.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { NOTIFY_TEXTS as T } from '../texts/notify.js';

type Webhook = Output<'GET', '/user/webhooks'>['webhooks'][number];
const REFRESH_MS = 5_000;

/** Addresses that are called when jobs end. */
export function Webhooks() {
  const { data, error } = useQuery({ ...webhooksQuery, refetchInterval: REFRESH_MS });
  const [url, setUrl] = useState('');
  const make = useMutation({
    mutationFn: () => call('POST', '/user/webhooks', { body: { url } }),
    onSuccess: () => setUrl(''),
    onSettled: () => queryClient.invalidateQueries(webhooksQuery),
  });
  if (data?.webhooks_available !== true) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  const fault = error ?? make.error;
  return (
    <Card withBorder component="section" aria-label={T.webhooks}>
      <Title order={2} size="h5" mb="sm">
        {T.webhooks}
      </Title>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {T.webhooksLead}
        </Text>
        {fault !== null && <ProblemNotice error={fault} />}
        {data.webhooks.length === 0 && <Text size="sm">{T.noWebhooks}</Text>}
        {data.webhooks.map((webhook) => (
          <WebhookRow key={webhook.webhook_id} webhook={webhook} />
        ))}
        {make.isSuccess && (
          <Alert color="teal" variant="light" role="status" title={T.secretOnce}>
            <Code style={{ overflowWrap: 'anywhere' }}>{make.data.secret}</Code>
          </Alert>
        )}
        <form onSubmit={submit}>
          <Group align="end" gap="sm">
            <TextInput
              type="url"
              label={T.webhookAddress}
              placeholder="https://"
              required
              style={{ flex: 1, minWidth: 200 }}
              value={url}
              onChange={(e) => setUrl(e.currentTarget.value)}
            />
            <Button type="submit" variant="light" loading={make.isPending}>
              {T.makeWebhook}
            </Button>
          </Group>
        </form>
      </Stack>
    </Card>
  );
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const { webhook_id: id, url, disabled, deliveries } = webhook;
  const refresh = () => queryClient.invalidateQueries(webhooksQuery);
  const test = useMutation({
    mutationFn: () => call('POST', '/user/webhooks/test', { body: { webhook_id: id } }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => call('DELETE', '/user/webhooks', { query: { webhook_id: id } }),
    onSettled: refresh,
  });
  const fault = test.error ?? remove.error;
  return (
    <div data-webhook={id}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Button size="compact-sm" variant="light" loading={test.isPending} onClick={() => test.mutate()}>
            {T.test}
          </Button>
          <ConfirmButton
            size="compact-sm"
            variant="light"
            color="red"
            label={T.remove}
            question={T.removeQuestion}
            answer={T.remove}
            onConfirm={() => remove.mutate()}
          />
        </Group>
      </Group>
      {fault !== null && <ProblemNotice error={fault} />}
      {disabled !== undefined && (
        <Text size="sm" c="red">
          {T.disabled(disabled.reason)}
        </Text>
      )}
      {deliveries.slice(0, 3).map(({ event_id: event, created_at: at, state, tries, answer }) => (
        <Text key={event} size="xs" c="dimmed" data-delivery={state}>
          {instant(at)}: {T.deliveryStates[state]}, {T.tries(tries)}
          {answer === '' ? '' : ` (${answer})`}
        </Text>
      ))}
    </div>
  );
}
