import { parseMember } from '../request/body.js';
import { validate } from '../request/validate.js';
import { uploadedLogfiles } from '../schemas/worker.js';

/** Texts of log files by key, UTF-8. @throws ServiceError REQUEST_INVALID, BODY_MALFORMED */
export function readLogfiles(text: Uint8Array): ReadonlyMap<string, Buffer> {
  const { logfiles } = validate(uploadedLogfiles, { logfiles: parseMember(text) });
  return new Map(Object.entries(logfiles).map(([key, log]) => [key, Buffer.from(log, 'utf8')]));
}

/** What a JSON string says, UTF-8. @param text - with its quotes. @throws ServiceError BODY_MALFORMED */
export function readText(text: Uint8Array): Buffer {
  return Buffer.from(String(parseMember(text)), 'utf8');
}
