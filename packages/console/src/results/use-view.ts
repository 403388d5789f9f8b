import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ResultsSearch } from '../search.js';

/** What the address says of the view, and how to change it: no step of the browser's history, and nothing scrolls. */
export function useView() {
  const search = useSearch({ from: '/jobs/$jobId/results' });
  const navigate = useNavigate({ from: '/jobs/$jobId/results' });
  const set = (change: Partial<ResultsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  return { search, set };
}
