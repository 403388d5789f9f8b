import type { FieldFault } from '@tally/service-kit';
import { isDeckFileName } from '@tally/simulators/run';
import { fail } from '../errors.js';

const NAME_RULE =
  'must be a file name of 1 to 128 letters, digits, dots, hyphens and underscores that begins with none of . and -';
const FILES_MAX = 1000;
const FAULTS_MAX = 20;
const NAME_SHOWN_MAX = 200;

/**
 * Users' own input files as a submission has them: an object of file name → text.
 * @throws ServiceError PROJECT_INVALID with a field for every fault
 */
export function readInputFiles(simData: unknown): Readonly<Record<string, string>> {
  if (typeof simData !== 'object' || simData === null || Array.isArray(simData)) {
    throw refuse([{ field: '/sim_data', message: 'must be an object of file names and texts' }]);
  }
  const entries = Object.entries(simData);
  if (entries.length === 0 || entries.length > FILES_MAX) {
    throw refuse([{ field: '/sim_data', message: `must have 1 to ${FILES_MAX} files, not ${entries.length}` }]);
  }
  const files: Record<string, string> = {};
  const faults: FieldFault[] = [];
  for (const [name, text] of entries) {
    const field = `/sim_data/${name.slice(0, NAME_SHOWN_MAX).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!isDeckFileName(name)) {
      // the runner checks the same before it writes a file
      faults.push({ field, message: NAME_RULE });
    } else if (typeof text === 'string') files[name] = text;
    else faults.push({ field, message: 'must be the text of the file' });
  }
  if (faults.length > 0) throw refuse(faults.slice(0, FAULTS_MAX));
  return files;
}

function refuse(fields: readonly FieldFault[]) {
  const message = `the input files cannot be run: ${fields.map(({ field, message: why }) => `${field}: ${why}`).join('; ')}`;
  return fail('PROJECT_INVALID', { message, fields });
}
