import { setting } from '@tally/service-kit';
import { z } from 'zod';

const DAY_MS = 86_400_000;

/** JSON, so that blanks and commas need no rules of their own. */
function jsonText<Type extends z.ZodType>(type: Type) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' });
        return z.NEVER;
      }
    })
    .pipe(type);
}

/** Empty: the limit of all tasks. */
function limit(min: number, max: number) {
  return z.union([z.literal('').transform(() => undefined), setting.integer(min, max)]);
}

const executable = (simType: string) => ({
  type: z.union([z.literal(''), z.string().startsWith('/', 'must be an absolute path')]),
  default: '',
  description: `Executable of ${simType}, absolute path; where it is empty or cannot be started the built-in engine runs projects, and files are refused`,
});
const args = (simType: string) => ({
  type: jsonText(z.array(z.string())),
  default: '[]',
  description: `Arguments of ${simType} before those that the runner gives, JSON array of texts`,
});
const environment = (simType: string) => ({
  type: jsonText(z.record(z.string().regex(/^\w+$/, 'must be names of variables'), z.string())),
  default: '{}',
  description: `Environment of ${simType} beside the runner's own for simulators, JSON object of texts`,
});
const folders = (simType: string) => ({
  type: jsonText(z.array(z.string().startsWith('/', 'must be absolute paths'))),
  default: '[]',
  description: `Folders and files that ${simType} reads beside the system's own and its executable's folder, absolute paths, JSON array; others are hidden from it`,
});
const version = (simType: string) => ({
  type: z.string().regex(/^[\w.+ -]{0,40}$/, 'must be a version'),
  default: '',
  description: `Version of ${simType} as results show it; empty: the executable is asked`,
});
const versionArgs = (simType: string) => ({
  type: jsonText(z.array(z.string())),
  default: '["--version"]',
  description: `Arguments of ${simType}, behind the others, with which it says its version, JSON array of texts`,
});
const versionPattern = (simType: string) => ({
  type: z.string().transform((text, context) => {
    if (text === '') return undefined;
    try {
      return new RegExp(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a regular expression' });
      return z.NEVER;
    }
  }),
  default: '',
  description: `Regular expression whose first group is the version in what ${simType} prints then; empty: that of its banner`,
});
const timeLimitMs = (simType: string) => ({
  type: limit(100, 24 * DAY_MS),
  default: '',
  description: `Wall time of a task of ${simType}, milliseconds; empty: RUNNER_TASK_TIME_LIMIT_MS`,
});
const memoryBytesMax = (simType: string) => ({
  type: limit(1, Number.MAX_SAFE_INTEGER),
  default: '',
  description: `Resident memory of a task of ${simType}, bytes; empty: RUNNER_TASK_MEMORY_BYTES_MAX`,
});

/** How this machine runs each simulator. */
export const simulatorKeys = {
  simAExecutable: executable('simA'),
  simAArgs: args('simA'),
  simAEnv: environment('simA'),
  simAFolders: folders('simA'),
  simAVersion: version('simA'),
  simAVersionArgs: versionArgs('simA'),
  simAVersionPattern: versionPattern('simA'),
  simATimeLimitMs: timeLimitMs('simA'),
  simAMemoryBytesMax: memoryBytesMax('simA'),
  simBExecutable: executable('simB'),
  simBArgs: args('simB'),
  simBEnv: environment('simB'),
  simBFolders: folders('simB'),
  simBVersion: version('simB'),
  simBVersionArgs: versionArgs('simB'),
  simBVersionPattern: versionPattern('simB'),
  simBTimeLimitMs: timeLimitMs('simB'),
  simBMemoryBytesMax: memoryBytesMax('simB'),
  simCExecutable: executable('simC'),
  simCArgs: args('simC'),
  simCEnv: environment('simC'),
  simCFolders: folders('simC'),
  simCVersion: version('simC'),
  simCVersionArgs: versionArgs('simC'),
  simCVersionPattern: versionPattern('simC'),
  simCTimeLimitMs: timeLimitMs('simC'),
  simCMemoryBytesMax: memoryBytesMax('simC'),
  simDExecutable: executable('simD'),
  simDArgs: args('simD'),
  simDEnv: environment('simD'),
  simDFolders: folders('simD'),
  simDVersion: version('simD'),
  simDVersionArgs: versionArgs('simD'),
  simDVersionPattern: versionPattern('simD'),
  simDTimeLimitMs: timeLimitMs('simD'),
  simDMemoryBytesMax: memoryBytesMax('simD'),
} as const;
