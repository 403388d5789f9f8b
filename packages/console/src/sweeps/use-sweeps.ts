import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { onChange } from '../api/live.js';
import { NEWEST, queryClient, type Simulation, simulationsQuery } from '../api/queries.js';
import { groupSweeps, type Sweep } from './sweep-title.js';

const REFRESH_MS = 1_500;

/** The user's sweeps, the newest first, and how much of the list of jobs has been read for them. */
export interface Sweeps {
  readonly sweeps: readonly Sweep[];
  readonly read: number;
  readonly total: number;
  readonly isComplete: boolean;
  readonly error: Error | null;
}

/** Reads all jobs, page by page, and again when one of them changes. */
export function useSweeps(): Sweeps {
  const list = useInfiniteQuery(simulationsQuery([], NEWEST));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onChange(({ kind }) => {
      if (kind === 'task') return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({ queryKey: ['simulations'] });
      }, REFRESH_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  const jobs = useMemo<Simulation[]>(
    () => list.data?.pages.flatMap(({ simulations }) => simulations) ?? [],
    [list.data],
  );
  const sweeps = useMemo(() => groupSweeps(jobs), [jobs]);
  const total = list.data?.pages.at(-1)?.simulations_count ?? 0;
  return { sweeps, read: jobs.length, total, isComplete: list.isSuccess && !hasNextPage, error: list.error };
}
