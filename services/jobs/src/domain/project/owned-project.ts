import { fail } from '../errors.js';
import type { Owned } from '../ports.js';

/**
 * The acting user's own project, or something of it.
 * @throws ServiceError PROJECT_NOT_FOUND, PROJECT_OF_ANOTHER_USER
 */
export function requireOwnProject<T>(owned: Owned<T>): T {
  switch (owned.kind) {
    case 'own':
      return owned.value;
    case 'foreign':
      throw fail('PROJECT_OF_ANOTHER_USER');
    case 'missing':
      throw fail('PROJECT_NOT_FOUND');
  }
}
