import { Alert, Group, Stack } from '@mantine/core';
import { toProblem } from '../api/client.js';
import { TEXTS } from '../texts.js';
import { ButtonLink } from './links.js';
import { ProblemNotice } from './problem-notice.js';

interface NoJobProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** In place of a job that cannot be read: why, and where to go on. */
export function NoJob({ error, onRetry }: NoJobProps) {
  const isMissing = toProblem(error).status === 404;
  return (
    <Stack>
      {isMissing && (
        <Alert color="blue" variant="light">
          {TEXTS.job.missing}
        </Alert>
      )}
      <ProblemNotice error={error} {...(isMissing ? {} : { onRetry })} />
      <Group>
        <ButtonLink to="/">{TEXTS.job.toJobs}</ButtonLink>
        <ButtonLink to="/new" variant="default">
          {TEXTS.nav.submit}
        </ButtonLink>
      </Group>
    </Stack>
  );
}
