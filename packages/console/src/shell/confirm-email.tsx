import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.js';
import { EMAIL_TEXTS as T } from '../texts/email.js';
import { LinkPage } from './link-page.js';
import { ProblemNotice } from './problem-notice.js';
import { useLinkToken } from './use-link-token.js';

/** Confirms an address by a link, at a press of a button: programs that look into mails open links. */
export function ConfirmEmail() {
  const token = useLinkToken();
  const confirm = useMutation({
    mutationFn: () => call('POST', '/auth/email/confirm', { body: { token } }),
    onSuccess: () => history.replaceState(null, '', location.pathname),
  });
  const lead = confirm.isSuccess ? T.confirmed(confirm.data.email) : token === '' ? T.noToken : T.lead;
  return (
    <LinkPage title={T.confirmTitle} lead={lead} back={T.toConsole}>
      {confirm.isError && <ProblemNotice error={confirm.error} />}
      {!confirm.isSuccess && token !== '' && (
        <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
          {T.confirmTitle}
        </Button>
      )}
    </LinkPage>
  );
}
