const KEY = 'tally-share-link';

/** Token of the share link that this tab was opened by; undefined: none. It is kept for the tab alone. */
export const shareLink = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined;

/** Keeps the token for this tab. */
export const keepShareLink = (token: string): void => sessionStorage.setItem(KEY, token);

/** Header of requests that show the link. */
export function shareLinkHeaders(): Readonly<Record<string, string>> {
  const token = shareLink();
  return token === undefined ? {} : { 'X-Share-Link': token };
}
