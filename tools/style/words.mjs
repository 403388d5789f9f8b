// Words that this repository does not use, with those that say the same (docs/glossary.md), and where they may stand all the
// same.

/** The public interface has words of its own: they stay in it, in the mappers behind it, and in its tests. */
const HTTP_EDGE = [
  'services/gateway/',
  'clients/python/src/tally_client/_generated/',
  'packages/batch-helper/',
  'packages/client/',
  'e2e/',
  'bench/',
  'examples/',
  'proto/jobs/', // what the gateway passes on as it was sent
  'services/batch-bridge/src/clients/',
  'services/jobs/src/grpc/',
  'services/jobs/test/', // calls it with such messages
  'docs/http-interface.md',
  'docs/glossary.md',
];

/** What migrations once called them. */
const FORMER_NAMES = ['services/jobs/prisma/migrations/'];

/** `word` with the one to be written `instead`; `in`: only in these files; `except`: not in those. Paths by their beginning. */
export const WORDS = [
  { word: /errand/i, instead: 'bridge command', except: FORMER_NAMES },
  {
    word: /\bhold-?work\b|workers? outside|outside:http/i,
    instead: 'external-worker lease, external worker',
    except: ['services/jobs/src/domain/work.ts'], // what is stored for one
  },
  {
    word: /neighbour/i,
    instead: 'dependency, createClients',
    in: ['services/', 'tools/', 'k8s/', 'docs/'],
    except: ['services/results/', 'docs/engine.md'],
  },
  { word: /\bworld\b/i, instead: 'ServiceContext, environment', in: ['services/'] },
  { word: /\bWake\b/, instead: 'Notifier' },
  {
    word: /AbortSignal\.timeout\(/,
    instead: 'limitTime, which is ended with its work',
    in: ['services/', 'packages/service-kit/src/'],
    except: ['services/jobs/test/'],
  },
  { word: /\btid(?:y|ie[rs])|tidyUp|tidy-up/i, instead: 'clean up, cleaner' },
  { word: /\b(?:choose|note)-?place\b/i, instead: 'resolveTarget, recordTarget' },
  { word: /\blookAt\b|\bLOOK_AGAIN_MS\b|\b(?:interface|type) Look\b/, instead: 'Snapshot, poll, POLL_INTERVAL_MS' },
  { word: /\btakeSteps\b|\bputOff\b|\bbeginTry\b|is tried again/, instead: 'advance, reschedule, beginAttempt, retry' },
  { word: /\bbur(?:y|ies|ied)(?:\b|_)/i, instead: 'deadLetter' },
  {
    word: /\bsendLastWords\b|\bLAST_WORDS|\bagree-?on-?executables\b|\bdisputed\b/i,
    instead: 'flushFinalLog, commonExecutables, inconsistent',
  },
  { word: /\bfailureOf\b|\bThingEvent\b|\bgzipThings\b/, instead: 'a name of its own, UploadPart' },
  { word: /\bunread\b/i, instead: 'raw members', in: ['services/'] },
  {
    word: /\bLockedSimulation\b|\bsimulation_(?:id|key)\b/,
    instead: 'LockedJob, job_id, job_key',
    except: [...HTTP_EDGE, ...FORMER_NAMES],
  },
  { word: /\bcelery_?id\b/i, instead: 'attempt id', except: [...HTTP_EDGE, ...FORMER_NAMES] },
  {
    word: /\b(?:Get)?BatchOrder\b/i,
    instead: 'JobSpec',
    except: ['services/jobs/CHANGELOG.md', 'services/batch-bridge/CHANGELOG.md'],
  },
];
