import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import type { EndedIds } from '../operator/operator-ports.js';
import type { ClassScope, ClassStore, ListedClass } from './class.js';

export interface EndClassPorts {
  readonly classes: Pick<ClassStore, 'list' | 'end'>;
  readonly audit: Audit;
  readonly clock: Clock;
}

/**
 * Ends a class before its day, or deletes one that has ended. Safe to repeat.
 * @returns it as it is then, and sessions and tokens that ended
 * @throws ServiceError CLASS_NOT_FOUND
 */
export async function endClass(
  { classes, audit, clock }: EndClassPorts,
  scope: ClassScope,
  classId: string,
  isDeleted: boolean,
): Promise<{ readonly ended: ListedClass; readonly endedIds: EndedIds }> {
  const now = clock.now();
  const endedIds = await classes.end(scope, classId, isDeleted, now);
  const [ended] = endedIds === undefined ? [] : await classes.list(scope, classId, now, 1);
  if (ended === undefined || endedIds === undefined) throw fail('CLASS_NOT_FOUND');
  audit('auth.class.ended', { groupId: ended.groupId, count: ended.students.length });
  return { ended, endedIds };
}
