import { useQuery } from '@tanstack/react-query';
import { inputsQuery, statusQuery } from '../api/queries.js';
import { titleOf } from '../submit/project.js';

/** Title of a job; of its project where the service is of a release that does not say it; undefined: not known yet. */
export function useTitle(jobId: string): string | undefined {
  const status = useQuery(statusQuery(jobId));
  const title = status.data?.submission?.title;
  const inputs = useQuery({ ...inputsQuery(jobId), enabled: status.isSuccess && title === undefined });
  return title ?? (inputs.data === undefined ? undefined : titleOf(inputs.data.input));
}
