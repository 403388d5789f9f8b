import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PagePart, type PageRef, pageQuery } from '../api/queries.js';

/** The effective number of histories behind each bin of a page, once somebody wants it. */
export interface Histories {
  readonly isWanted: boolean;
  readonly setIsWanted: (isWanted: boolean) => void;
  /** NaN: not known; undefined: not asked for, or not known of any bin. */
  readonly values: Float64Array | undefined;
}

/** @param part - of the page; undefined: all of it */
export function useHistories(own: PageRef, part?: PagePart): Histories {
  const [isWanted, setIsWanted] = useState(false);
  const { data } = useQuery({ ...pageQuery(own, part, true), enabled: isWanted });
  return { isWanted, setIsWanted, values: isWanted ? data?.data.effective_histories : undefined };
}
