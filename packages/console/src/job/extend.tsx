import { Button, type ButtonProps, NumberInput, Popover, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type EndedJob, extendJobs } from '../api/job-actions.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { TEXTS } from '../texts.js';

const T = TEXTS.job;
const PRIMARIES = 100_000;

interface ExtendProps extends ButtonProps {
  readonly jobs: readonly EndedJob[];
  /** That the job has simulated; undefined: several have, or it is not known. */
  readonly primaries?: number | undefined;
  readonly onDone?: () => void;
}

/** Simulates further primaries of jobs that have completed, and merges them with what there is. */
export function ExtendButton({ jobs, primaries, onDone, ...button }: ExtendProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [wanted, setWanted] = useState<number | undefined>();
  const more = wanted ?? primaries ?? PRIMARIES;
  const extend = useMutation({
    mutationFn: () => extendJobs(jobs, more),
    onSuccess: () => {
      setIsOpen(false);
      onDone?.();
    },
  });
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" withArrow trapFocus shadow="md" width={280}>
      <Popover.Target>
        <Button {...button} onClick={() => setIsOpen(!isOpen)}>
          {T.extend}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            extend.mutate();
          }}
        >
          <Stack gap="sm">
            <NumberInput
              label={jobs.length > 1 ? T.furtherEach : T.further}
              min={1}
              allowDecimal={false}
              thousandSeparator=" "
              value={more}
              onChange={(value) => typeof value === 'number' && setWanted(value)}
            />
            <Text size="xs" c="dimmed">
              {primaries === undefined ? T.extendHint : T.smaller(Math.sqrt(primaries / (primaries + more)))}
            </Text>
            {extend.isError && <ProblemNotice error={extend.error} />}
            <Button type="submit" loading={extend.isPending} disabled={more < 1}>
              {T.extendBy(more)}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
