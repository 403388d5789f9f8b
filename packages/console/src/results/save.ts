import { call } from '../api/client.js';
import { shareLink, shareLinkHeaders } from '../api/share-link.js';

/** Gives the user a text as a file. */
export function saveText(name: string, text: string, type = 'text/plain'): void {
  saveBlob(name, new Blob([text], { type }));
}

/** Gives the user a blob as a file. */
export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Gives the user what the service makes, as it comes. @throws HttpError when the session has ended */
export async function saveFile(name: string, path: string): Promise<void> {
  const fileName = name.replace(/[^\w.-]+/g, '_');
  if (shareLink() !== undefined) {
    const response = await fetch(path, { headers: shareLinkHeaders() }); // a link has no headers
    if (response.ok) saveBlob(fileName, await response.blob());
    return;
  }
  await call('GET', '/auth/status'); // a link cannot renew the session
  const link = document.createElement('a');
  link.href = path;
  link.download = fileName;
  link.click();
}
