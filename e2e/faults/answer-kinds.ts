import { pick } from './fault-schedule.js';

/** Texts of Slurm and of the systems around it, none of which speaks of the request. */
const TEXTS = [
  'sbatch: error: Batch job submission failed: Slurm backup controller in standby mode',
  'sbatch: error: Batch job submission failed: Unexpected message received',
  'sbatch: error: Batch job submission failed: Zero Bytes were transmitted or received',
  'sbatch: error: Batch job submission failed: Resource temporarily unavailable',
  'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation',
  'sbatch: error: Batch job submission failed: I/O error writing script/environment to file',
  'sbatch: error: AssocMaxSubmitJobLimit',
  'sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying',
  'slurm_load_jobs error: Unable to contact slurm controller (connect failure)',
  'sacct: error: Access/permission denied',
  'sacct: error: slurm_persist_conn_open_without_init: failed to open persistent connection: Connection refused',
  'error: Munge encode failed: Failed to access "/run/munge/munge.socket.2": No such file or directory',
  'fatal: Unable to process configuration file',
  'error: resolve_ctls_from_dns_srv: res_nsearch error: Unknown host',
  'bash: fork: retry: Resource temporarily unavailable',
  'Der Rechner ist besch\u00e4ftigt',
  'Segmentation fault (core dumped)',
  '',
] as const;

/** What is drawn of an answer. */
interface Draw {
  readonly text: string;
  readonly exitCode: number;
  /** Of [0, 1). */
  readonly share: number;
}

/** Texts of bash: what stands for the answer of a program, see BatchSuite.answer. */
export const ANSWER_KINDS: Readonly<Record<string, (draw: Draw) => string>> = {
  'another text, nothing done': ({ text, exitCode }) => `${print(text)} >&2; exit ${exitCode}`,
  'another text, all done': ({ text, exitCode }) => `real "$@" >/dev/null 2>&1; ${print(text)} >&2; exit ${exitCode}`,
  'another text on the standard output': ({ text, exitCode }) => `${print(text)}; exit ${exitCode}`,
  'nothing, nothing done': () => 'exit 0',
  'nothing, all done': () => 'real "$@" >/dev/null; exit 0',
  'cut off': ({ share }) => `real "$@" | head -c ${Math.floor(share * 100)}; exit 0`,
  twice: () => `out=$(real "$@"); code=$?; printf '%s\\n%s\\n' "$out" "$out"; exit $code`,
  late: ({ share }) => `sleep ${(1 + 7 * share).toFixed(1)}; real "$@"; exit`,
  'in another encoding': () => 'real "$@" | iconv -f UTF-8 -t UTF-16; exit 0',
  'behind a greeting': ({ text }) => `${print(text)}; echo 17; real "$@"; exit`,
  'another exit code': ({ exitCode }) => `real "$@"; exit ${exitCode}`,
};

/** What the login does before any command, for a while. */
export const LOGIN_KINDS: Readonly<Record<string, (draw: Draw) => string>> = {
  'the login script prints': ({ text }) => `${print(text)}\n`,
  'the login script prints without an end of the line': () => "printf '\\033[31mGr\\xfc\\xdfe\\033[0m'\n",
  'the login ends before the command': ({ text, exitCode }) => `${print(text)}; exit ${exitCode}\n`,
};

/** By its bytes: no shell reads it. */
const print = (text: string): string => `base64 -d <<<'${Buffer.from(`${text}\n`).toString('base64')}'`;

const PROGRAMS = ['sbatch', 'sbatch', 'squeue', 'squeue', 'sacct', 'scancel'] as const;

export interface DrawnAnswer {
  readonly kind: string;
  /** `login`: of every command for a while. */
  readonly target: (typeof PROGRAMS)[number] | 'login';
  readonly script: string;
  readonly heldMs: number;
}

/** One in so many answers is of the login. */
const LOGIN_SHARE = 0.15;

export function drawAnswer(random: () => number): DrawnAnswer {
  const isOfLogin = random() < LOGIN_SHARE;
  const kinds = isOfLogin ? LOGIN_KINDS : ANSWER_KINDS;
  const kind = pick(Object.keys(kinds), random) ?? '';
  const target = isOfLogin ? 'login' : (pick(PROGRAMS, random) ?? 'sbatch');
  const draw = { text: pick(TEXTS, random) ?? '', exitCode: 1 + Math.floor(254 * random()), share: random() };
  return { kind, target, script: kinds[kind]?.(draw) ?? 'exit 0', heldMs: 500 + 2_500 * random() };
}
