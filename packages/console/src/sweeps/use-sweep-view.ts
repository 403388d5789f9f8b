import { useNavigate, useSearch } from '@tanstack/react-router';
import type { SweepSearch } from '../search.js';

/** What the address says of a sweep's page, and how to change it: no step of the browser's history, and nothing scrolls. */
export function useSweepView() {
  const search = useSearch({ from: '/sweeps/show' });
  const navigate = useNavigate({ from: '/sweeps/show' });
  const set = (change: Partial<SweepSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  return { search, set };
}
