import { createHash } from 'node:crypto';
import type { Clock } from '@tally/service-kit';
import type { ClusterSession } from '../src/domain/ports.js';
import type { FoundFile } from '../src/domain/remote-files.js';
import type { CommandResult, RemoteCommand } from '../src/domain/remote-shell.js';

/*
 * A login node in memory whose commands are answered as Slurm's are: real command lines and real outputs, so that what is tested
 * is the whole way from a rule to a text and back.
 */

/** How long a task waits, runs, and is shown after its end. */
const START_MS = 5_000;
const RUN_MS = 90_000;
const SHOWN_MS = 300_000;

interface NodeJob {
  readonly id: string;
  readonly marker: string;
  readonly folder: string;
  /** Absent: a single job. */
  readonly indices: readonly number[] | undefined;
  readonly taskOffset: number;
  readonly afterAny: readonly string[];
  readonly submittedAtMs: number;
  readonly canceledAtMs: Map<number, number>;
}

type State = 'PENDING' | 'RUNNING' | 'COMPLETED' | 'CANCELLED';
/** Key of a single job among indices. */
const SINGLE = 0;

/** What a command does and prints. */
export type Command = () => CommandResult;

const ok = (stdout = ''): CommandResult => ({ stdout, stderr: '', exitCode: 0 });
const option = (argv: readonly string[], name: string): string | undefined =>
  argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);

/** Indices of `1-3,7`. */
function readRanges(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

export class LoginNode {
  readonly jobs: NodeJob[] = [];
  readonly files = new Set<string>();
  /** What is done when a command comes; as the command says, unless a test has other plans. */
  answer: (name: string, command: Command) => Promise<CommandResult> = async (_, command) => command();
  /** What sbatch says of a job of this name; undefined: it takes it. */
  answerSubmission: (marker: string) => CommandResult | undefined = () => undefined;
  #nextId = 100;

  constructor(private readonly clock: Clock) {}

  readonly session: ClusterSession = {
    run: (command) => this.answer(programOf(command.argv), () => this.#run(command)),
    upload: async (files) => {
      await this.answer('sftp', () => {
        for (const { path } of files) this.files.add(path);
        return ok();
      });
    },
    findFiles: async (folder) => {
      let found: FoundFile[] = [];
      await this.answer('find', () => {
        found = this.#findFiles(folder);
        return ok();
      });
      return found;
    },
    withFiles: (work) => work({ open: async () => undefined }),
    removeFolder: async (folder) => {
      await this.answer('rm', () => {
        for (const file of this.files) if (file.startsWith(folder)) this.files.delete(file);
        return ok();
      });
    },
  };

  /** Numbers of the tasks that have run to their end, in order, as often as they did. */
  completedTasks(): number[] {
    const tasks = this.jobs.flatMap((job) =>
      (job.indices ?? []).flatMap((index) => (this.#state(job, index) === 'COMPLETED' ? index + job.taskOffset : [])),
    );
    return tasks.toSorted((a, b) => a - b);
  }

  /** Names of what has not ended. */
  openMarkers(): string[] {
    return this.jobs
      .filter((job) => this.#keys(job).some((key) => isOpen(this.#state(job, key))))
      .map((job) => job.marker);
  }

  /** The controller forgets what it accepted of these tasks, and a single job of this name. */
  lose(isLost: (taskId: number) => boolean, single: string | undefined): void {
    const left = this.jobs.filter(({ marker }) => marker !== single);
    const kept = left.map((job) => ({
      ...job,
      indices: job.indices?.filter((index) => !isLost(index + job.taskOffset)),
    }));
    this.jobs.splice(0, this.jobs.length, ...kept);
  }

  #keys({ indices }: NodeJob): readonly number[] {
    return indices ?? [SINGLE];
  }

  /** When the last of what a job waits for has ended; undefined: not yet. What is not known counts as ended. */
  #readyAtMs({ submittedAtMs, afterAny }: NodeJob): number | undefined {
    const before = this.jobs.filter(({ id }) => afterAny.includes(id));
    const ends = before.flatMap((job) => this.#keys(job).map((key) => this.#endMs(job, key)));
    return ends.every((end) => end !== undefined) ? Math.max(submittedAtMs, ...ends) : undefined;
  }

  #endMs(job: NodeJob, key: number): number | undefined {
    const readyAtMs = this.#readyAtMs(job);
    const ranUntilMs = readyAtMs === undefined ? undefined : readyAtMs + START_MS + RUN_MS;
    const canceledAtMs = job.canceledAtMs.get(key);
    const ends = [ranUntilMs, canceledAtMs].filter((end) => end !== undefined);
    const endMs = Math.min(...ends);
    return ends.length > 0 && endMs <= this.clock.monotonicMs() ? endMs : undefined;
  }

  #state(job: NodeJob, key: number): State {
    const canceledAtMs = job.canceledAtMs.get(key);
    const endMs = this.#endMs(job, key);
    if (endMs !== undefined) return endMs === canceledAtMs ? 'CANCELLED' : 'COMPLETED';
    const readyAtMs = this.#readyAtMs(job);
    return readyAtMs !== undefined && readyAtMs + START_MS <= this.clock.monotonicMs() ? 'RUNNING' : 'PENDING';
  }

  #run({ argv, stdin = '' }: RemoteCommand): CommandResult {
    switch (programOf(argv)) {
      case 'sbatch':
        return this.#sbatch(argv, stdin);
      case 'squeue':
        return this.#squeue(argv);
      case 'sacct':
        return this.#sacct(argv);
      case 'scancel':
        return this.#scancel(argv.slice(1));
      case 'test':
        return { ...ok(), exitCode: [...this.files].some((file) => file.startsWith(argv[2] ?? '')) ? 0 : 1 };
      case 'mkdir':
        for (const folder of argv.slice(argv.indexOf('--') + 1)) this.files.add(folder);
        return ok();
      case 'sha256sum':
        return ok(argv.map((name) => `${createHash('sha256').update(name).digest('hex')}  ${name}\n`).join(''));
      default:
        return ok();
    }
  }

  #sbatch(argv: readonly string[], script: string): CommandResult {
    if (!script.startsWith('#!')) return { stdout: '', stderr: 'sbatch: error: Batch script is empty!\n', exitCode: 1 };
    const refusal = this.answerSubmission(option(argv, 'job-name') ?? '');
    if (refusal !== undefined) return refusal;
    const id = String(this.#nextId++);
    const array = option(argv, 'array');
    this.jobs.push({
      id,
      marker: option(argv, 'job-name') ?? '',
      folder: option(argv, 'chdir') ?? '',
      indices: array === undefined ? undefined : readRanges(array),
      taskOffset: Number(/SLURM_ARRAY_TASK_ID \+ (\d+)/.exec(script)?.[1] ?? 0),
      afterAny: option(argv, 'dependency')?.split(':').slice(1) ?? [],
      submittedAtMs: this.clock.monotonicMs(),
      canceledAtMs: new Map(),
    });
    return ok(`${id}\n`);
  }

  #squeue(argv: readonly string[]): CommandResult {
    const name = option(argv, 'name');
    const rows = this.jobs
      .filter(({ marker }) => name === undefined || name === marker)
      .flatMap((job) =>
        this.#keys(job).flatMap((key) => {
          const endMs = this.#endMs(job, key);
          if (endMs !== undefined && this.clock.monotonicMs() - endMs > SHOWN_MS) return [];
          return `${job.id}|${job.indices === undefined ? 'N/A' : key}|${this.#state(job, key)}|None|${job.marker}\n`;
        }),
      );
    return ok(rows.join(''));
  }

  #sacct(argv: readonly string[]): CommandResult {
    const [ids, name] = [option(argv, 'jobs')?.split(','), option(argv, 'name')];
    const rows = this.jobs
      .filter(({ id, marker }) => (ids === undefined ? marker === name : ids.includes(id)))
      .flatMap((job) =>
        this.#keys(job).map((key) => {
          const id = job.indices === undefined ? job.id : `${job.id}_${key}`;
          return `${id}|${this.#state(job, key)}|0:0|${job.marker}\n`;
        }),
      );
    return ok(rows.join(''));
  }

  #scancel(targets: readonly string[]): CommandResult {
    for (const target of targets) {
      const [, id, ranges] = /^(\d+)(?:_\[([\d,-]+)\])?$/.exec(target) ?? [];
      for (const job of this.jobs.filter((one) => one.id === id)) {
        const keys = ranges === undefined ? this.#keys(job) : readRanges(ranges);
        for (const key of keys) {
          if (isOpen(this.#state(job, key))) job.canceledAtMs.set(key, this.clock.monotonicMs());
        }
      }
    }
    return ok();
  }

  /** Tasks that have run to their end have left one of their own. */
  #findFiles(folder: string): FoundFile[] {
    const ours = this.jobs.filter((job) => job.folder === folder && job.indices !== undefined);
    return ours.flatMap((job) =>
      (job.indices ?? []).flatMap((index) => {
        const state = this.#state(job, index);
        const names = state === 'COMPLETED' ? ['end.json', 'log'] : state === 'RUNNING' ? ['log'] : [];
        const inTask = (name: string) => `tasks/${index + job.taskOffset}/${name}`;
        return names.map((name) => ({ path: inTask(name), sizeBytes: 1, modifiedAt: new Date(0) }));
      }),
    );
  }
}

const isOpen = (state: State): boolean => state === 'PENDING' || state === 'RUNNING';

/** Program of a command line, behind what sets it up. */
export function programOf(argv: readonly string[]): string {
  const words = argv.filter((word) => !/^(env|timeout|-k|\d+|[A-Z_]+=.*)$/.test(word));
  return words[0] ?? '';
}
