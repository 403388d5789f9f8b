#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runEngineCommand } from '@tally/engine/run-command';
import { collect } from '../collect.js';
import type { BatchJob } from '../folder/batch-job.js';
import { STOPPED_EXIT_CODE } from '../folder/job-folder.js';
import { readAuthorities, readJob, readUpdateKey } from '../folder/read-job.js';
import { openTaskStore } from '../folder/task-store.js';
import type { Gateway } from '../gateway/gateway.js';
import { createHttpGateway } from '../gateway/http-gateway.js';
import { HELPER_VERSION } from '../helper-program.js';
import { runTask } from '../task/run-task.js';

const USAGE = `Usage: node tally-batch-helper.mjs <command>
  run --folder <job folder> --task <number>     run one task of a job
  run --folder <job folder> --offset <number>   the same; its number is SLURM_ARRAY_TASK_ID plus the offset
  collect --folder <job folder>                 deliver what tasks could not deliver themselves
  engine <options>                              the built-in engine's command
  --version
`;
const NODE_MAJOR_MIN = 20;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Aborts at the first SIGTERM: the wall time limit, or a cancellation. */
function onTermination(): AbortSignal {
  const terminated = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => terminated.abort());
  return terminated.signal;
}

async function openGateway(folder: string, job: BatchJob): Promise<Gateway | undefined> {
  if (job.gateway === null) return undefined;
  return createHttpGateway({
    url: job.gateway.url,
    authorities: await readAuthorities(job),
    jobId: job.jobId,
    updateKey: await readUpdateKey(folder),
    requestTimeoutMs: job.limits.requestTimeoutMs,
  });
}

async function runCommand(folder: string, taskId: number): Promise<number> {
  const terminated = onTermination();
  const job = await readJob(folder);
  const share = job.tasks.find((task) => task.taskId === taskId);
  if (share === undefined) throw new Error(`the job has no task ${taskId}`);
  const { SLURM_JOB_ID, SLURM_RESTART_COUNT = '0' } = process.env;
  const run = [SLURM_JOB_ID ?? `process-${process.pid}`, SLURM_RESTART_COUNT].join('-').replaceAll(/[^\w-]/g, '');
  const engineArgs = ['engine', '--threads', String(job.limits.engineThreads), '--stop-on-stdin-end'];
  const end = await runTask(
    {
      folder,
      job,
      openGateway: () => openGateway(folder, job),
      store: openTaskStore(folder, taskId),
      engine: { executable: process.execPath, args: [realpathSync(process.argv[1] ?? ''), ...engineArgs] },
      run,
      restartCount: Number(SLURM_RESTART_COUNT) || 0,
      print,
      terminated,
    },
    share,
  );
  if (end === undefined) return STOPPED_EXIT_CODE;
  return end.taskState === 'COMPLETED' ? 0 : EXIT_FAILED;
}

async function collectCommand(folder: string): Promise<number> {
  const terminated = onTermination();
  const job = await readJob(folder);
  const gateway = await openGateway(folder, job);
  if (gateway === undefined) {
    print('nodes do not reach the service: it fetches what tasks have left');
    return 0;
  }
  const openStore = (taskId: number) => openTaskStore(folder, taskId);
  const summary = await collect({ job, gateway, openStore, print, terminated });
  print(Object.entries(summary).map(([what, count]) => `${what}: ${count}`).join(', ')); // biome-ignore format: one line
  return 0;
}

function readTaskId(task: string | undefined, offset: string | undefined): number | undefined {
  const index = task ?? process.env.SLURM_ARRAY_TASK_ID ?? '';
  const isNumber = (text: string) => /^\d{1,9}$/.test(text);
  if ((task === undefined) === (offset === undefined) || !isNumber(index) || !isNumber(offset ?? '0')) return undefined;
  return Number(index) + Number(offset ?? 0);
}

function readOptions(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({ args, options: { folder: text, task: text, offset: text } }).values;
  } catch (err) {
    throw new Error(`${err instanceof Error ? err.message : String(err)}\n${USAGE}`, { cause: err });
  }
}

async function main(argv: readonly string[]): Promise<number> {
  if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
    throw new Error(`Node ${NODE_MAJOR_MIN} or later is needed, this is ${process.version}`);
  }
  const [command, ...rest] = argv;
  if (command === '--version') {
    print(`tally-batch-helper ${HELPER_VERSION}`);
    return 0;
  }
  const { folder, task, offset } = readOptions(rest);
  const taskId = readTaskId(task, offset);
  if (command === 'collect' && folder !== undefined && task === undefined && offset === undefined) {
    return await collectCommand(folder);
  }
  if (command === 'run' && folder !== undefined && taskId !== undefined) return await runCommand(folder, taskId);
  throw new Error(USAGE);
}

if (process.argv[2] === 'engine') await runEngineCommand(process.argv.slice(3));
else {
  process.umask(0o077);
  const exitCode = await main(process.argv.slice(2)).catch((err: unknown) => {
    process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
    return EXIT_USAGE;
  });
  process.exit(exitCode);
}
