import { useQuery } from '@tanstack/react-query';
import { type PageRef, statusQuery } from '../../api/queries.js';
import { useTitle } from '../../job/use-title.js';
import { fileName } from './chart-csv.js';

/** What a file of a figure is called, and what its numbers say of themselves. */
export interface FigureSource {
  readonly title: string;
  readonly nameOf: (...more: readonly string[]) => string;
  readonly about: readonly string[];
}

/** @param page - name of the quantity */
export function useFigureSource({ jobId, estimator }: PageRef, page: string): FigureSource {
  const title = useTitle(jobId) ?? jobId;
  const { data } = useQuery(statusQuery(jobId));
  const { description } = data ?? {};
  return {
    title,
    nameOf: (...more) => fileName(jobId, estimator, page, ...more),
    about: [
      `job: ${jobId}`,
      `title: ${title}`,
      `estimator: ${estimator}`,
      `quantity: ${page}`,
      ...(description === undefined
        ? []
        : [
            ...(description.beam === undefined ? [] : [`beam: ${description.beam}`]),
            `primaries: ${data?.simulated_primaries ?? description.requested_primaries}`,
            `engine: ${description.engine}`,
          ]),
    ],
  };
}
