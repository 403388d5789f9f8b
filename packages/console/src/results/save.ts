import { call } from '../api/client.js';

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
  await call('GET', '/auth/status'); // a link cannot renew the session
  const link = document.createElement('a');
  link.href = path;
  link.download = name.replace(/[^\w.-]+/g, '_');
  link.click();
}
