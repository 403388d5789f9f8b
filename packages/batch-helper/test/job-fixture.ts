import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type DeckFiles, findDriver, readProject, type SimType, splitPrimaries } from '@tally/simulators';
import { BEHAVIOURS_VARIABLE, type Behaviour, DIRECTORY_VARIABLE, workspaceRoot } from '@tally/testkit';
import {
  type BatchJob,
  type BatchSimulator,
  HELPER_LIMITS,
  type HelperLimits,
  jobFile,
} from '../src/folder/batch-job.js';
import { JOB_FILES, type TaskFile, taskFile } from '../src/folder/job-folder.js';
import { deliveredFile, taskEndFile } from '../src/folder/task-files.js';

export const UPDATE_KEY = 'key-that-nobody-may-see_5f3a';
export const JOB_ID = '20260102-030405-6f1c2a5e-0000-4000-8000-000000000000';
const SEED = '4711';

/** Nothing waits long in a test. */
const FAST: HelperLimits = {
  ...HELPER_LIMITS,
  progressIntervalMs: 50,
  stopGraceMs: 500,
  deliveryTimeLimitMs: 20_000,
  stoppedDeliveryTimeLimitMs: 2_000,
  collectTimeLimitMs: 20_000,
  requestTimeoutMs: 5_000,
  retryPauseMs: 20,
  retryPauseMsMax: 200,
};

export interface JobSettings {
  readonly primaries?: number;
  readonly taskCount?: number;
  readonly simType?: SimType;
  readonly simulator?: BatchSimulator;
  readonly gateway?: BatchJob['gateway'];
  readonly confinement?: Partial<BatchJob['confinement']>;
  readonly limits?: Partial<HelperLimits>;
}

/** A job's folder as batch-bridge makes it. */
export interface JobFixture {
  readonly folder: string;
  readonly job: BatchJob;
  path(...parts: string[]): string;
  text(taskId: number, file: TaskFile): string;
  end(taskId: number): ReturnType<typeof taskEndFile.parse>;
  delivered(taskId: number): ReturnType<typeof deliveredFile.parse>;
  /** Names in the folder of a task. */
  names(taskId: number): string[];
  /** Writes `job.json` anew. */
  change(change: Partial<BatchJob>): void;
  remove(): Promise<void>;
}

export async function createJob(settings: JobSettings = {}): Promise<JobFixture> {
  const { primaries = 400, taskCount = 2, simType = 'simA', simulator, gateway = null, confinement, limits } = settings;
  const folder = await mkdtemp(path.join(tmpdir(), 'tally-job-'));
  const place = (...parts: string[]) => path.join(folder, ...parts);
  const job: BatchJob = {
    jobId: JOB_ID,
    simType,
    inputType: 'editor',
    seed: SEED,
    tasks: splitPrimaries(primaries, taskCount),
    gateway,
    simulator: simulator ?? null,
    // a stand-in notes what it did outside of its folder
    confinement: { kind: simulator === undefined ? 'auto' : 'none', readOnlyPaths: [], wrapper: [], ...confinement },
    limits: { ...FAST, ...limits },
  };
  const write = (changed: BatchJob) => writeFileSync(place(JOB_FILES.job), jobFile.encode(changed));
  write(job);
  writeFileSync(place(JOB_FILES.updateKey), `${UPDATE_KEY}\n`, { mode: 0o600 });
  chmodSync(place(JOB_FILES.updateKey), 0o600);
  mkdirSync(place(JOB_FILES.deck));
  for (const [name, text] of Object.entries(deckOf(simType, simulator)))
    writeFileSync(place(JOB_FILES.deck, name), text);
  const bytes = (taskId: number, file: TaskFile) => readFileSync(place(taskFile(taskId, file)));
  return {
    folder,
    job,
    path: place,
    text: (taskId, file) => bytes(taskId, file).toString('utf8'),
    end: (taskId) => taskEndFile.parse(bytes(taskId, 'end.json')),
    delivered: (taskId) => deliveredFile.parse(bytes(taskId, 'delivered.json')),
    names: (taskId) => readdirSync(place('tasks', String(taskId))).sort(),
    change: (change) => write({ ...job, ...change }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

interface ProjectJson {
  readonly scoringManager: {
    filters: unknown[];
    readonly outputs: { quantities: { readonly keyword: string; readonly filter?: unknown }[] }[];
  };
}

/** An example, with what every simulator can score. */
function deckOf(simType: SimType, simulator: BatchSimulator | undefined): DeckFiles {
  const file = path.join(workspaceRoot(), 'examples/proton-150mev-water.json');
  const json = JSON.parse(readFileSync(file, 'utf8')) as ProjectJson;
  json.scoringManager.filters = [];
  for (const output of json.scoringManager.outputs) {
    output.quantities = output.quantities.filter(({ keyword, filter }) => keyword === 'Dose' && !filter);
  }
  const executables = new Map(simulator === undefined ? [] : [[simType, simulator.version]]);
  return findDriver(simType, 'editor', executables).convert(readProject(json)).files;
}

/** A stand-in for a simulator, as a cluster would have the real one. It must have been built. */
export function standIn(
  simType: SimType,
  directory: string,
  behaviours: Readonly<Record<number, Behaviour>> = {},
): BatchSimulator {
  const program = `sim-${simType.slice(-1).toLowerCase()}.js`;
  return {
    executable: process.execPath,
    args: [path.join(workspaceRoot(), 'packages/testkit/dist/src/stand-ins', program)],
    env: { [DIRECTORY_VARIABLE]: directory, [BEHAVIOURS_VARIABLE]: JSON.stringify(behaviours) },
    version: 'stand-in',
  };
}
