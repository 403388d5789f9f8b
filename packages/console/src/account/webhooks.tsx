import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, type Output } from '../api/client.js';
import { queryClient, webhooksQuery } from '../api/queries.js';
import { instant } from '../format.js';
import { ConfirmButton } from '../shell/confirm-button.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { ShownOnce } from '../shell/shown-once.js';
import { NOTIFY_TEXTS as T } from '../texts/notify.js';
import { AddressForm } from './address-form.js';
import { Section } from './section.js';

type Webhook = Output<'GET', '/user/webhooks'>['webhooks'][number];
const REFRESH_MS = 5_000;

/** Addresses that are called when jobs end. */
export function Webhooks() {
  const { data, error } = useQuery({ ...webhooksQuery, refetchInterval: REFRESH_MS });
  const make = useMutation({
    mutationFn: (url: string) => call('POST', '/user/webhooks', { body: { url } }),
    onSettled: () => queryClient.invalidateQueries(webhooksQuery),
  });
  if (data?.webhooks_available !== true) return null;
  const fault = error ?? make.error;
  return (
    <Section title={T.webhooks}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {T.webhooksLead}
        </Text>
        {fault !== null && <ProblemNotice error={fault} />}
        {data.webhooks.length === 0 && <Text size="sm">{T.noWebhooks}</Text>}
        {data.webhooks.map((webhook) => (
          <WebhookRow key={webhook.webhook_id} webhook={webhook} />
        ))}
        {make.isSuccess && <ShownOnce title={T.secretOnce} text={make.data.secret} />}
        <AddressForm
          type="url"
          label={T.webhookAddress}
          placeholder="https://"
          action={T.makeWebhook}
          isPending={make.isPending}
          onSubmit={(url, clear) => make.mutate(url, { onSuccess: clear })}
        />
      </Stack>
    </Section>
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
