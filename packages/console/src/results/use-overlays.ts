import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  type Estimators,
  estimatorsQuery,
  NEWEST,
  type PageRef,
  type ResultPage,
  simulationsQuery,
} from '../api/queries.js';
import { TEXTS } from '../texts.js';
import { dimensionsOf, nameJobs, nameOfJob, readRefs, writeRef } from './overlays.js';

/** A list of a group of choices, as the components take it. */
interface ChoiceGroup {
  readonly group: string;
  readonly items: readonly { readonly value: string; readonly label: string }[];
}

/** What is laid over a page, as the address names it, and what could be. */
export interface Overlays {
  readonly refs: readonly PageRef[];
  readonly values: readonly string[];
  readonly choices: readonly ChoiceGroup[];
  /** Of the page itself: what tells it from the others. */
  readonly ownLabel: string;
  readonly labelOf: (ref: PageRef) => string;
  /** Whether the service compares it with the page itself: another job's page of the same estimator and name. */
  readonly isSame: (ref: PageRef) => boolean;
  readonly choose: (values: readonly string[]) => void;
}

/**
 * Other pages of this job, the same page of others, and, once another job is chosen, all its pages: those with as many axes.
 * @param dimensions - axes with more than one bin
 */
export function useOverlays(own: PageRef, dimensions: number): Overlays {
  const { jobId, estimator, page } = own;
  const search = useSearch({ from: '/jobs/$jobId/results' });
  const navigate = useNavigate({ from: '/jobs/$jobId/results' });
  const recent = useInfiniteQuery(simulationsQuery([], NEWEST));
  const jobs = useMemo(
    () => new Map(recent.data?.pages.flatMap(({ simulations }) => simulations.map((job) => [job.job_id, job]))),
    [recent.data],
  );
  const refs = useMemo(() => readRefs(search.with, { jobId, estimator, page }), [search.with, jobId, estimator, page]);
  const others = [...new Set(refs.map((ref) => ref.jobId))].filter((id) => id !== jobId);
  const lists = useQueries({ queries: [jobId, ...others].map((id) => ({ ...estimatorsQuery(id), retry: false })) });
  const [ofThis, ...ofOthers] = lists.map(({ data }) => data);
  const together = nameJobs([jobId, ...others].flatMap((id) => jobs.get(id) ?? []));
  const nameOf = (id: string) => {
    const job = jobs.get(id);
    return `${together.get(id) ?? (job === undefined ? id : nameOfJob(job))} (${id.slice(4, 15)})`;
  };
  const names = new Map([jobId, ...others].map((id, i) => [id, pageNames(lists[i]?.data)]));
  const quantityOf = (ref: PageRef) =>
    names.get(ref.jobId)?.get(writeRef({ ...ref, jobId: '' })) ?? `${ref.estimator} ${ref.page}`;
  const isSame = (ref: PageRef) => {
    if (ref.jobId === jobId || ref.estimator !== estimator) return false;
    // of a job that nothing is known of yet, numbers are all there is
    return (names.get(ref.jobId)?.size ?? 0) === 0 ? ref.page === page : quantityOf(ref) === quantityOf(own);
  };
  const labelOf = (ref: PageRef) => {
    if (ref.jobId === jobId) return quantityOf(ref);
    return isSame(ref) ? nameOf(ref.jobId) : `${nameOf(ref.jobId)}, ${quantityOf(ref)}`;
  };
  const toItems = (wanted: readonly PageRef[]) =>
    wanted.map((ref) => ({ value: writeRef(ref), label: labelOf(ref) })).filter(({ value }) => value !== writeRef(own));
  const sameOfOthers = [...new Set([...others, ...jobs.keys()])]
    .filter((id) => id !== jobId)
    .map((id) => ({ ...own, jobId: id }));
  const groups = [
    { group: TEXTS.results.ofThis, items: toItems(pagesOf(ofThis, jobId, dimensions)) },
    { group: TEXTS.results.ofOthers, items: toItems(sameOfOthers) },
    ...others.map((id, i) => ({
      group: nameOf(id),
      items: toItems(
        pagesOf(ofOthers[i], id, dimensions).filter((ref) => ref.estimator !== estimator || ref.page !== page),
      ),
    })),
  ];
  return {
    refs,
    values: refs.map(writeRef),
    choices: withAll(
      groups,
      refs.map((ref) => ({ value: writeRef(ref), label: labelOf(ref) })),
    ),
    ownLabel: refs.some((ref) => ref.jobId === jobId)
      ? [...(others.length > 0 ? [nameOf(jobId)] : []), quantityOf(own)].join(', ')
      : nameOf(jobId),
    labelOf,
    isSame,
    choose: (values) =>
      void navigate({ search: (before) => ({ ...before, with: values.join(',') || undefined }), resetScroll: false }),
  };
}

/** What is chosen can be taken away, whatever the lists hold, and each choice is there once. */
function withAll(groups: readonly ChoiceGroup[], chosen: ChoiceGroup['items']): ChoiceGroup[] {
  const known = new Set(groups.flatMap(({ items }) => items.map(({ value }) => value)));
  const missing = chosen.filter(({ value }) => !known.has(value));
  return [...groups, { group: TEXTS.results.chosen, items: missing }].filter(({ items }) => items.length > 0);
}

function pagesOf(list: Estimators | undefined, jobId: string, dimensions: number): PageRef[] {
  return (list?.estimators ?? []).flatMap(({ name, pages }) =>
    pages
      .filter((item) => dimensionsOf(item.dimensions) === dimensions)
      .map((item) => ({ jobId, estimator: name, page: item.page_number })),
  );
}

/** `estimator: quantity` of the pages of one job, by estimator and number. */
function pageNames(list: Estimators | undefined): ReadonlyMap<string, string> {
  return new Map(
    (list?.estimators ?? []).flatMap(({ name, pages }) =>
      pages.map((item) => [writeRef({ jobId: '', estimator: name, page: item.page_number }), `${name}: ${item.name}`]),
    ),
  );
}

/** Changes when any of several pages has been read again. */
export const versionOf = (results: readonly { readonly data?: ResultPage | null; readonly dataUpdatedAt: number }[]) =>
  results.map(({ data, dataUpdatedAt }) => (data ? dataUpdatedAt : 0)).join();
