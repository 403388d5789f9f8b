import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';

/** By entry of the browser's history and name; until the tab is closed or loaded again. */
const kept = new Map<string, unknown>();
/** Pages of which something is kept: a project may be megabytes. */
const ENTRIES_MAX = 40;

function keep(key: string, value: unknown): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > ENTRIES_MAX && oldest !== undefined) kept.delete(oldest);
}

/**
 * A state of a page that is still there when somebody comes back to it by the browser's Back or Forward; a new visit begins anew.
 * @param name - tells it from other states of the page
 */
export function useKept<T>(name: string, initial: () => T): readonly [T, (value: T) => void] {
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? '' });
  const key = `${entry} ${name}`;
  const [held, setHeld] = useState(() => ({ key, value: read(key, initial) }));
  // another entry of the history, though the page is the same
  const { value } = held.key === key ? held : { value: read(key, initial) };
  if (held.key !== key) setHeld({ key, value });
  const set = (next: T) => {
    keep(key, next);
    setHeld({ key, value: next });
  };
  return [value, set];
}

const read = <T>(key: string, initial: () => T): T => (kept.has(key) ? (kept.get(key) as T) : initial());
