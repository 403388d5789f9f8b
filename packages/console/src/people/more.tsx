import { Button } from '@mantine/core';
import { PEOPLE_TEXTS as T } from '../texts/people.js';

interface Fetching {
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}
/** Reads the next page. */
export function More({ list }: { readonly list: Fetching }) {
  return (
    <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      {T.more}
    </Button>
  );
}
