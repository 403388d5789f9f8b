import { Button } from '@mantine/core';
import type { View } from '../api/queries.js';
import { VIEW_TEXTS as T } from '../texts/views.js';

const VIEWS: readonly View[] = ['own', 'group', 'shared'];
/** The text as a view; what is none is `own`. */
export const readView = (text: unknown): View => VIEWS.find((view) => view === text) ?? 'own';

/** Chooses between the own things, those of groups, and what others share. */
export function ViewChoice({ view, onView }: { readonly view: View; readonly onView: (view: View) => void }) {
  return (
    <Button.Group aria-label={T.label}>
      {VIEWS.map((value) => (
        <Button
          key={value}
          px={{ base: 'xs', xs: 'md' }}
          variant={value === view ? 'light' : 'default'}
          aria-pressed={value === view}
          onClick={() => onView(value)}
        >
          {T[value]}
        </Button>
      ))}
    </Button.Group>
  );
}
