import { Button, Tooltip } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../api/client.js';
import { emailQuery, queryClient, subscriptionsQuery } from '../api/queries.js';
import { NOTIFY_TEXTS as T } from '../texts/notify.js';
import { unwatch, useIsWatched, type Watched, watch } from './watched.js';

interface TellMeProps extends Omit<Watched, 'key'> {
  readonly scope: 'job' | 'sweep';
  /** Id of the job or sweep. */
  readonly target: string;
}

/** Lets the user be told when a job, or the last one of a sweep, has ended: by mail where there is an address, and by this browser. */
export function TellMe({ scope, target, title, path, pending }: TellMeProps) {
  const key = `${scope}:${target}`;
  const isHere = useIsWatched(key);
  const email = useQuery(emailQuery);
  const subscriptions = useQuery(subscriptionsQuery);
  const isMailed =
    subscriptions.data?.subscriptions.some((one) => one.scope === scope && one.target === target) ?? false;
  const canMail = email.data?.mail_available === true && email.data.email !== null;
  const isTold = isHere || isMailed;
  const change = useMutation({
    mutationFn: async () => {
      if (isTold) unwatch(key);
      else watch({ key, title, path, pending });
      if (!canMail && !isMailed) return;
      await call('PUT', '/user/subscriptions', { body: { scope, target, channels: isTold ? [] : ['mail'] } });
      await queryClient.invalidateQueries(subscriptionsQuery);
    },
  });
  const hint = isTold ? (isMailed ? T.byMail : T.byBrowser) : canMail ? T.hintMail : T.hintBrowser;
  return (
    <Tooltip label={hint} multiline maw={280}>
      <Button
        size="xs"
        variant={isTold ? 'light' : 'default'}
        color={change.isError ? 'red' : undefined}
        aria-pressed={isTold}
        loading={change.isPending}
        leftSection={<Bell isRinging={isTold} />}
        onClick={() => change.mutate()}
      >
        {isTold ? T.telling : T.tellMe}
      </Button>
    </Tooltip>
  );
}

function Bell({ isRinging }: { readonly isRinging: boolean }) {
  return (
    <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d="M8 1.5a4.2 4.2 0 0 0-4.2 4.2c0 3.6-1.3 4.9-1.8 5.6h12c-.5-.7-1.8-2-1.8-5.6A4.2 4.2 0 0 0 8 1.5zM6.4 13a1.7 1.7 0 0 0 3.2 0"
        fill={isRinging ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="1.3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
