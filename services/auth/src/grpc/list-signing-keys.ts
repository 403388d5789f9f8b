import type { auth } from '@tally/contracts';
import { listSigningKeys } from '../domain/key/list-signing-keys.js';
import { toSigningKey } from './mappers.js';

/** ListSigningKeys. */
export function listSigningKeysRpc(ports: Parameters<typeof listSigningKeys>[0]) {
  return async (): Promise<auth.ListSigningKeysResponse> => ({
    keys: (await listSigningKeys(ports)).map(toSigningKey),
  });
}
