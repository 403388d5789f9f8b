import { Skeleton, Stack, Table, Text } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../api/client.js';
import { TextLink } from '../shell/links.js';
import { Moment } from '../shell/moment.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { StateBadge } from '../shell/state-badge.js';
import { PEOPLE_TEXTS as T } from '../texts/people.js';
import { More } from './more.js';
import type { OthersView } from './views.js';

const REFRESH_MS = 10_000;
const PAGE_SIZE = 50;

const jobsQuery = (view: OthersView) =>
  infiniteQueryOptions({
    queryKey: ['simulations', view],
    queryFn: ({ pageParam }) =>
      call('GET', '/user/simulations', { query: { view, page_size: PAGE_SIZE, page_idx: pageParam } }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (all.length < last.page_count ? all.length + 1 : undefined),
    refetchInterval: REFRESH_MS,
  });

/** Jobs of groups, or that others share. */
export function JobsOfOthers({ view }: { readonly view: OthersView }) {
  const list = useInfiniteQuery(jobsQuery(view));
  const jobs = list.data?.pages.flatMap((page) => page.simulations) ?? [];
  return (
    <Stack>
      {list.isPending && <Skeleton h={240} />}
      {list.isError && <ProblemNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && jobs.length === 0 && <Text c="dimmed">{T.nothing[view]}</Text>}
      {jobs.length > 0 && (
        <Table.ScrollContainer minWidth={640}>
          <Table striped highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                {[T.title, T.owner, T.group, T.state, T.started].map((heading) => (
                  <Table.Th key={heading}>{heading}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {jobs.map((job) => (
                <Table.Tr key={job.job_id} data-job={job.job_id}>
                  <Table.Td>
                    <TextLink to="/jobs/$jobId" params={{ jobId: job.job_id }}>
                      {job.title}
                    </TextLink>
                  </Table.Td>
                  <Table.Td>{job.owner?.display_name || job.owner?.username}</Table.Td>
                  <Table.Td>{job.group?.name}</Table.Td>
                  <Table.Td>
                    <StateBadge state={job.job_state} />
                  </Table.Td>
                  <Table.Td>
                    <Moment at={job.start_time} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {list.hasNextPage && <More list={list} />}
    </Stack>
  );
}
