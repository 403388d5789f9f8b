/** Ends that nobody has looked at yet, in front of the title of the tab. */
let count = 0;

const BADGE = /^\(\d+\) /;

/** A title of the tab with what is to be looked at. */
export const withBadge = (title: string): string => (count > 0 ? `(${count}) ${title}` : title);

function show(): void {
  document.title = withBadge(document.title.replace(BADGE, ''));
}

export function addToBadge(): void {
  count += 1;
  show();
}

export function clearBadge(): void {
  count = 0;
  show();
}
