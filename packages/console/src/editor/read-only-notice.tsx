import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ProblemNotice } from '../shell/problem-notice.js';
import { EDITOR_TEXTS } from '../texts/editor.js';
import type { Keeper } from './keep/keeper.js';
import { useCopy } from './keep/use-copy.js';

const T = EDITOR_TEXTS.page;

interface NoticeProps {
  readonly keeper: Keeper;
  /** Of a project that the user may only look at; empty: not known. Undefined: it is no such project. */
  readonly owner: string | undefined;
}

/** Says that nothing can be changed here, and leads on to a copy that can. */
export function ReadOnlyNotice({ keeper, owner }: NoticeProps) {
  const copy = useMutation({ mutationFn: useCopy(keeper) });
  if (owner === undefined) return undefined;
  return (
    <Alert color="blue" variant="light" mb="sm" title={T.readOnly} data-read-only>
      <Group justify="space-between">
        <Text size="sm">{T.readOnlyOf(owner)}</Text>
        <Button size="xs" loading={copy.isPending} onClick={() => copy.mutate()}>
          {T.copy}
        </Button>
      </Group>
      {copy.isError && <ProblemNotice error={copy.error} />}
    </Alert>
  );
}
