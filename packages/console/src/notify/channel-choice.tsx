import { Checkbox, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, type Input } from '../api/client.js';
import { emailQuery, queryClient, subscriptionsQuery, webhooksQuery } from '../api/queries.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { NOTIFY_TEXTS as T } from '../texts/notify.js';

type Subscription = NonNullable<Input<'PUT', '/user/subscriptions'>['body']>;
type Channel = Subscription['channels'][number];

/** By what this deployment can tell the user. */
export function useChannels() {
  const email = useQuery(emailQuery);
  const webhooks = useQuery(webhooksQuery);
  return {
    canMail: email.data?.mail_available === true,
    hasAddress: email.data?.email != null,
    canCall: webhooks.data?.webhooks_available === true,
  };
}

interface ChoiceProps extends Pick<Subscription, 'scope' | 'target'> {
  /** Of what the user is told. */
  readonly words: string;
}

/** Whether the user is told, by mail and by webhooks. */
export function ChannelChoice({ scope, target, words }: ChoiceProps) {
  const { canMail, hasAddress, canCall } = useChannels();
  const subscriptions = useQuery(subscriptionsQuery);
  const kept = subscriptions.data?.subscriptions.find((one) => one.scope === scope && one.target === target);
  const channels: readonly Channel[] = kept?.channels ?? [];
  const change = useMutation({
    mutationFn: ([channel, isTold]: readonly [Channel, boolean]) => {
      const others = channels.filter((one) => one !== channel);
      const next = isTold ? [...others, channel] : others;
      return call('PUT', '/user/subscriptions', {
        body: { scope, ...(target === undefined ? {} : { target }), channels: next },
      });
    },
    onSettled: () => queryClient.invalidateQueries(subscriptionsQuery),
  });
  const error = subscriptions.error ?? change.error;
  const isOn = (channel: Channel) =>
    change.isPending && change.variables[0] === channel ? change.variables[1] : channels.includes(channel);
  return (
    <Stack gap="sm">
      {error !== null && <ProblemNotice error={error} />}
      {canMail && (
        <Checkbox
          label={`${T.mail}: ${words}`}
          description={hasAddress ? undefined : T.noAddress}
          checked={isOn('mail')}
          disabled={subscriptions.isPending || (!hasAddress && !isOn('mail'))}
          onChange={(e) => change.mutate(['mail', e.currentTarget.checked])}
        />
      )}
      {canCall && (
        <Checkbox
          label={`${T.byWebhooks}: ${words}`}
          checked={isOn('webhooks')}
          disabled={subscriptions.isPending}
          onChange={(e) => change.mutate(['webhooks', e.currentTarget.checked])}
        />
      )}
    </Stack>
  );
}
