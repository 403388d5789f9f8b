import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { inputsQuery, NEWEST, simulationsQuery } from '../api/queries.js';
import { titleOf } from '../submit/project.js';

/** Title of a job: as it was submitted, where it is one of the last jobs; of its project otherwise; undefined: not known yet. */
export function useTitle(jobId: string): string | undefined {
  const recent = useInfiniteQuery(simulationsQuery([], NEWEST));
  const inputs = useQuery(inputsQuery(jobId));
  const job = recent.data?.pages.flatMap(({ simulations }) => simulations).find(({ job_id: id }) => id === jobId);
  return job?.title ?? (inputs.data === undefined ? undefined : titleOf(inputs.data.input));
}
