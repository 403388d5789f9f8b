import { type BatchJob, DECK_FILES_MAX, HELPER_LIMITS, isDeckFileName, JOB_FILES, jobFile } from '@tally/batch-helper';
import type { ClusterSettings } from '../cluster/cluster.js';
import { fail } from '../errors.js';
import type { JobFolderPath } from '../job-folder-path.js';
import type { ClusterSession, LocalProgram, Upload, WorkerPorts } from '../ports.js';
import type { JobSpec } from '../submission.js';
import type { SubmitContext } from './submit-context.js';

/** Folder of programs beside the folders of jobs; no job id begins with a dot. */
const PROGRAM_FOLDER = '.tally';
/** Of everything that is uploaded: the user's and nobody else's. */
const FOLDER_MODE = '700';
const PROGRAM_MODE = 0o700;

/** How nodes start the helper: program and first argument. */
export type HelperCommand = readonly [node: string, helper: string];

/** The helper as the nodes of a cluster start it, once it is uploaded. */
export function helperCommand(
  cluster: ClusterSettings,
  folder: JobFolderPath,
  programs: { readonly helper: LocalProgram; readonly node: LocalProgram },
): HelperCommand {
  const pathOf = ({ name }: LocalProgram): string => `${programFolderOf(folder)}/${name}`;
  return [cluster.nodeProgram ?? pathOf(programs.node), pathOf(programs.helper)];
}

function programFolderOf(folder: JobFolderPath): string {
  return `${folder.slice(0, folder.lastIndexOf('/'))}/${PROGRAM_FOLDER}`;
}

/** A gateway that nodes of this cluster reach, or null. */
function gatewayOf(
  { isReachingGateway, gatewayCaFile: caFile }: ClusterSettings,
  url: string | null,
): BatchJob['gateway'] {
  return isReachingGateway && url !== null ? { url, caFile } : null;
}

async function makeFolders(session: ClusterSession, folder: JobFolderPath): Promise<void> {
  const programs = programFolderOf(folder);
  const scratch = programs.slice(0, -PROGRAM_FOLDER.length - 1);
  const inside = [JOB_FILES.deck, JOB_FILES.tasks].map((name) => `${folder}/${name}`);
  // -m is for the named folders only, not for those above them; what is there already stays as it is
  const argv = ['mkdir', '-p', '-m', FOLDER_MODE, '--', scratch, programs, folder, ...inside];
  const { exitCode, stderr } = await session.run({ argv });
  if (exitCode !== 0) throw fail('UPLOAD_DAMAGED', { cause: new Error(stderr) });
}

/** Uploads a program unless it is there: its name holds its checksum, and it got its name when it was complete. */
async function uploadProgram(session: ClusterSession, folder: JobFolderPath, program: LocalProgram): Promise<void> {
  const path = `${programFolderOf(folder)}/${program.name}`;
  const { exitCode } = await session.run({ argv: ['test', '-s', path] });
  if (exitCode !== 0) await session.upload([{ path, content: program, mode: PROGRAM_MODE }]);
}

async function removeFinish(session: ClusterSession, folder: JobFolderPath): Promise<void> {
  const { exitCode, stderr } = await session.run({ argv: ['rm', '-f', '--', `${folder}/${JOB_FILES.finish}`] });
  if (exitCode !== 0) throw fail('UPLOAD_DAMAGED', { cause: new Error(stderr) });
}

function jobJson(
  { gatewayUrl, limits }: Pick<WorkerPorts, 'gatewayUrl' | 'limits'>,
  { cluster, submission: { jobId } }: SubmitContext,
  { simType, inputType, seed, tasks }: JobSpec,
): Buffer {
  const job: BatchJob = {
    jobId,
    simType,
    inputType,
    seed: String(seed),
    tasks: tasks.map((share, i) => ({ taskId: i + 1, ...share })),
    gateway: gatewayOf(cluster, gatewayUrl),
    simulator: cluster.simulators[simType] ?? null,
    confinement: { kind: cluster.confinement, readOnlyPaths: cluster.readOnlyPaths, wrapper: cluster.wrapper },
    limits: {
      ...HELPER_LIMITS,
      progressIntervalMs: limits.progressIntervalMs,
      stallLimitMs: limits.taskStallLimitMs,
      stallRetriesMax: limits.taskStallRetriesMax,
    },
  };
  return Buffer.from(jobFile.encode(job));
}

/**
 * Makes the folder of a job on its cluster, complete: deck, `job.json`, update key, and the programs if they are not
 * there. Safe to repeat.
 * @returns whether there was no such folder before. Otherwise an earlier attempt, even one that the database does not know
 *   because it was restored, may have got further than is known
 * @throws ServiceError UPDATE_KEY_MISSING, DECK_TOO_LARGE, UPLOAD_DAMAGED, and what the session throws
 */
export async function uploadJob(
  ports: Pick<WorkerPorts, 'results' | 'programs' | 'gatewayUrl' | 'limits'>,
  context: SubmitContext,
  folder: JobFolderPath,
  spec: JobSpec,
  updateKey: string,
): Promise<boolean> {
  const { cluster, session, submission } = context;
  if (updateKey === '') throw fail('UPDATE_KEY_MISSING');
  const deck = await ports.results.getDeck(submission.jobId);
  if (deck.size > DECK_FILES_MAX) throw fail('DECK_TOO_LARGE');
  const files: Upload[] = [
    { path: `${folder}/${JOB_FILES.job}`, content: jobJson(ports, context, spec) },
    { path: `${folder}/${JOB_FILES.updateKey}`, content: Buffer.from(`${updateKey}\n`) },
    ...[...deck].map(([name, content]) => {
      if (!isDeckFileName(name)) throw new RangeError('a file of a deck has a name that cannot be part of a path');
      return { path: `${folder}/${JOB_FILES.deck}/${name}`, content };
    }),
  ];
  const isNew = (await session.run({ argv: ['test', '-e', folder] })).exitCode === 1; // test(1): not there; any other is no answer
  await makeFolders(session, folder);
  await uploadPrograms(ports, cluster, session, folder);
  // the tasks before these may have been stopped
  if (submission.firstTask > 1) await removeFinish(session, folder);
  await session.upload(files);
  return isNew;
}

/** Uploads the programs that nodes are to start, unless they are there. The folder of the job must be. */
export async function uploadPrograms(
  { programs }: Pick<WorkerPorts, 'programs'>,
  cluster: ClusterSettings,
  session: ClusterSession,
  folder: JobFolderPath,
): Promise<void> {
  const { helper, node } = await programs.find();
  await uploadProgram(session, folder, helper);
  if (cluster.nodeProgram === null) await uploadProgram(session, folder, node);
}
