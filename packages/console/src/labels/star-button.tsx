import { ActionIcon } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { LABEL_TEXTS as T } from '../texts/labels.js';
import { changeLabels } from './label-actions.js';

interface StarProps {
  readonly jobId: string;
  readonly title: string;
  readonly isFavourite: boolean;
}

/** Makes a job a favourite, or not any more. */
export function StarButton({ jobId, title, isFavourite }: StarProps) {
  const toggle = useMutation({ mutationFn: () => changeLabels(jobId, { favourite: !isFavourite }) });
  const isFull = toggle.isPending ? !isFavourite : isFavourite;
  return (
    <ActionIcon
      variant="subtle"
      color={isFull ? 'yellow' : 'gray'}
      size="sm"
      aria-label={isFull ? T.unstar(title) : T.star(title)}
      aria-pressed={isFull}
      onClick={() => toggle.mutate()}
    >
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <path
          d="M8 1.5l2 4.2 4.5.6-3.3 3.2.8 4.6L8 11.9l-4 2.2.8-4.6L1.5 6.3l4.5-.6z"
          fill={isFull ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeWidth="1.2"
          strokeLinejoin="round"
        />
      </svg>
    </ActionIcon>
  );
}
