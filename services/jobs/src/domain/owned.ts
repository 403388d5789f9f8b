import { fail } from './errors.js';
import type { Owned } from './ports.js';

/**
 * The acting user's own thing.
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER
 */
export function requireOwn<T>(owned: Owned<T>): T {
  switch (owned.kind) {
    case 'own':
      return owned.value;
    case 'foreign':
      throw fail('JOB_OF_ANOTHER_USER');
    case 'missing':
      throw fail('JOB_NOT_FOUND');
  }
}
