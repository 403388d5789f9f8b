import { Checkbox, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../api/client.js';
import { emailQuery, queryClient, subscriptionsQuery, webhooksQuery } from '../api/queries.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { NOTIFY_TEXTS as T } from '../texts/notify.js';
import { Section } from './section.js';

type Channel = 'mail' | 'webhooks';

/** Whether the user is told when any job of his ends. */
export function Notifications() {
  const email = useQuery(emailQuery);
  const subscriptions = useQuery(subscriptionsQuery);
  const webhooks = useQuery(webhooksQuery);
  const all = subscriptions.data?.subscriptions.find(({ scope }) => scope === 'all');
  const channels = all?.channels ?? [];
  const change = useMutation({
    mutationFn: ([channel, isTold]: readonly [Channel, boolean]) => {
      const others = channels.filter((one) => one !== channel);
      return call('PUT', '/user/subscriptions', {
        body: { scope: 'all', channels: isTold ? [...others, channel] : others },
      });
    },
    onSettled: () => queryClient.invalidateQueries(subscriptionsQuery),
  });
  const error = subscriptions.error ?? change.error;
  const hasAddress = email.data?.email != null;
  const canMail = email.data?.mail_available === true;
  const canCall = webhooks.data?.webhooks_available === true;
  if (!canMail && !canCall) return null;
  const isOn = (channel: Channel) =>
    change.isPending && change.variables[0] === channel ? change.variables[1] : channels.includes(channel);
  return (
    <Section title={T.title}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {T.lead}
        </Text>
        {error !== null && <ProblemNotice error={error} />}
        {canMail && (
          <Checkbox
            label={`${T.mail}: ${T.all}`}
            description={hasAddress ? undefined : T.noAddress}
            checked={isOn('mail')}
            disabled={subscriptions.isPending || (!hasAddress && !isOn('mail'))}
            onChange={(e) => change.mutate(['mail', e.currentTarget.checked])}
          />
        )}
        {canCall && (
          <Checkbox
            label={`${T.byWebhooks}: ${T.all}`}
            checked={isOn('webhooks')}
            disabled={subscriptions.isPending}
            onChange={(e) => change.mutate(['webhooks', e.currentTarget.checked])}
          />
        )}
      </Stack>
    </Section>
  );
}
