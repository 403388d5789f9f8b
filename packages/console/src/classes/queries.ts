import { queryOptions } from '@tanstack/react-query';
import { call, type Output } from '../api/client.js';
import { queryClient } from '../api/queries.js';

export type ListedClass = Output<'GET', '/admin/classes'>['classes'][number];

export const classesQuery = queryOptions({
  queryKey: ['admin', 'classes'],
  queryFn: () => call('GET', '/admin/classes'),
  staleTime: Number.POSITIVE_INFINITY,
});

export const refreshClasses = () => queryClient.invalidateQueries({ queryKey: classesQuery.queryKey });

/** Projects that the teacher may give: his own, the newest first. */
export const ownProjectsQuery = queryOptions({
  queryKey: ['projects', 'own', 'newest'],
  queryFn: () => call('GET', '/projects', { query: { page_size: 100 } }),
});
