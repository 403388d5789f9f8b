import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/client.js';
import { TEXTS } from '../texts.js';

const T = TEXTS.removals;
/** Rules count days: a list that is open for an hour need not ask again. */
const STALE_MS = 3_600_000;

/** What rules of retention remove of an own job, and when: soon, or, on its own page, whenever it is, and what they have removed. */
export function Removals({ jobId, isWhole = false }: { readonly jobId: string; readonly isWhole?: boolean }) {
  const { data } = useQuery({
    queryKey: ['removals', isWhole && jobId],
    queryFn: () => call('GET', '/user/removals', isWhole ? { query: { job_id: jobId } } : {}),
    staleTime: STALE_MS,
    retry: false,
  });
  const all = [
    ['results', data?.results_removed_at],
    ['logs', data?.logs_removed_at],
    ...(data?.removals ?? []).filter((one) => one.job_id === jobId).map((one) => [one.data, one.remove_at] as const),
  ] as const;
  return all.map(
    ([what, at]) =>
      at !== undefined && (
        <Badge key={what} size="sm" variant="light" color="orange" tt="none" autoContrast title={T.keep}>
          {T[what]} {new Date(at).toLocaleDateString()}
        </Badge>
      ),
  );
}
