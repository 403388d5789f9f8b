import { useEffect } from 'react';
import { withBadge } from '../notify/badge.js';
import { TEXTS } from '../texts.js';

/** Names the page in the browser's tabs, history and bookmarks. @param title - undefined: not known yet */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = withBadge(title === undefined || title === '' ? TEXTS.product : `${title} – ${TEXTS.product}`);
  }, [title]);
}
