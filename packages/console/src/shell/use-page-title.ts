import { useEffect } from 'react';
import { TEXTS } from '../texts.js';

/** Names the page in the browser's tabs, history and bookmarks. @param title - undefined: not known yet */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined || title === '' ? TEXTS.product : `${title} – ${TEXTS.product}`;
  }, [title]);
}
