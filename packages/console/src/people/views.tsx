import { Button } from '@mantine/core';
import { VIEW_TEXTS as T } from '../texts/views.js';

/** Whose things a list shows. */
export const VIEWS = ['own', 'group', 'shared'] as const;
export type View = (typeof VIEWS)[number];
/** What is not the own. */
export type OthersView = Exclude<View, 'own'>;

/** The text as a view; what is none is `own`. */
export const readView = (text: unknown): View => VIEWS.find((view) => view === text) ?? 'own';

/** Chooses between the own things, those of groups, and what others share. */
export function ViewChoice({ view, onView }: { readonly view: View; readonly onView: (view: View) => void }) {
  return (
    <Button.Group aria-label={T.label}>
      {VIEWS.map((value) => (
        <Button
          key={value}
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
