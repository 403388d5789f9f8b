import { type authOperator, jobs } from '@tally/contracts';
import { type CallOptions, ServiceError, withContext, type ZipFile } from '@tally/service-kit';
import { inNameOf, requestContext } from '../../in-name-of.js';
import { required, state } from '../../mappers.js';
import type { RouteServices } from '../../route.js';
import { openCrate } from '../jobs/crate.js';
import { quote } from '../usage/usage-csv.js';

/** What an archive of a class is made of. */
export interface WantedArchive {
  readonly class: authOperator.Class;
  readonly format: 'hdf5' | 'npz' | 'csv';
  /** Who has it made. */
  readonly agent: string;
}

const PAGE_SIZE = 100;

/**
 * All work of a class, student by student, file by file: each is asked for when the one before is written, so that no more than one is held.
 * Whoever has no work has a folder, too. A job that has not ended, or that goes meanwhile, is a line without a file.
 */
export async function* classFiles(
  services: RouteServices,
  wanted: WantedArchive,
  call: CallOptions,
): AsyncGenerator<ZipFile> {
  // how many calls there are nobody knows before: each has the time of a long answer
  const { deadline: _deadline, ...context } = requestContext();
  const reader = { readerId: context.userId };
  const { students, createTime } = wanted.class;
  const folders = foldersOf(students.map(({ user }) => required(user, 'user')));
  const madeAt = required(createTime, 'create_time');
  yield textFile('README.md', readme(wanted, [...folders.values()]), madeAt);
  for (const [userId, folder] of folders) {
    const inName = <T>(work: () => Promise<T>) => withContext(inNameOf(userId, context, reader), work);
    const rows = [['kind', 'id', 'title', 'state', 'file', 'note']];
    yield* jobFiles({ services, call, folder, rows, inName }, wanted);
    yield* projectFiles({ services, call, folder, rows, inName });
    yield textFile(`${folder}/contents.csv`, `${rows.map((row) => row.map(quote).join()).join('\n')}\n`, madeAt);
  }
}

/** What it takes to read a student's work. */
interface Reading {
  readonly services: RouteServices;
  readonly call: CallOptions;
  readonly folder: string;
  /** Of the table of contents; more are added. */
  readonly rows: string[][];
  readonly inName: <T>(work: () => Promise<T>) => Promise<T>;
}

async function* jobFiles(reading: Reading, { format, agent }: WantedArchive): AsyncGenerator<ZipFile> {
  const { services, call, folder, rows, inName } = reading;
  for await (const job of jobsOf(reading)) {
    const name = state.toName(job.state);
    const row = (file: string, note: string) => rows.push(['job', job.jobId, job.title, name, file, note]);
    const wanted = { job_id: job.jobId, format, license: '', agent };
    const opened = await inName(() => openCrate(services, wanted, call)).catch(noteOf);
    if (typeof opened === 'string') {
      row('', opened);
      continue;
    }
    const file = `jobs/${job.jobId}.crate.zip`;
    row(file, '');
    const modifiedAt = job.endTime ?? required(job.startTime, 'start_time');
    yield { path: `${folder}/${file}`, bytes: opened.chunks, isCompressible: false, modifiedAt };
  }
}

async function* projectFiles({ services, call, folder, rows, inName }: Reading): AsyncGenerator<ZipFile> {
  for (let pageIndex = 1; ; pageIndex++) {
    const order = jobs.ProjectOrder.PROJECT_ORDER_CREATE_TIME;
    const asked = { pageSize: PAGE_SIZE, pageIndex, order, isAscending: true, search: '', knownVersion: '' };
    const { page } = await inName(() => services.jobs.listProjects(asked, call));
    const { projects } = required(page, 'page');
    for (const { projectId, title, updateTime } of projects) {
      const read = () => services.jobs.getProject({ projectId, revision: undefined, knownVersion: '' }, call);
      const found = await inName(read).catch(noteOf);
      const file = `projects/${fileName(title)}-${projectId.slice(0, 8)}.json`;
      const isRead = typeof found !== 'string';
      rows.push(['project', projectId, title, '', isRead ? file : '', isRead ? '' : found]);
      if (isRead) yield textFile(`${folder}/${file}`, found.projectJson, required(updateTime, 'update_time'));
    }
    if (projects.length < PAGE_SIZE) return;
  }
}

/** The oldest first: what is submitted meanwhile is on the last page. */
async function* jobsOf({ services, call, inName }: Reading): AsyncGenerator<jobs.Job> {
  for (let pageIndex = 1; ; pageIndex++) {
    const order = jobs.JobOrder.JOB_ORDER_START_TIME;
    const asked = { pageSize: PAGE_SIZE, pageIndex, order, isAscending: true, states: [], knownVersion: '' };
    const { page } = await inName(() => services.jobs.listJobs(asked, call));
    const { jobs: found } = required(page, 'page');
    yield* found;
    if (found.length < PAGE_SIZE) return;
  }
}

/** Why one thing cannot be had, for the table of contents; what concerns the rest, too, goes on. */
function noteOf(err: unknown): string {
  const isOfThis = err instanceof ServiceError && ['NOT_FOUND', 'FAILED_PRECONDITION', 'ABORTED'].includes(err.status);
  if (!isOfThis) throw err;
  return err.message;
}

/** A text as part of a path. */
export const fileName = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^\.+/, '')
    .slice(0, 80) || '_';

/** A folder for each student, by his name; two names that are one on some disk get their numbers. */
function foldersOf(users: readonly { readonly userId: bigint; readonly username: string }[]) {
  const seen = new Set<string>();
  return new Map(
    users.map(({ userId, username }) => {
      const name = fileName(username);
      const folder = seen.has(name.toLowerCase()) ? `${name}-${userId}` : name;
      seen.add(name.toLowerCase());
      return [userId, folder] as const;
    }),
  );
}

const textFile = (path: string, text: string | Buffer, modifiedAt: Date): ZipFile => ({
  path,
  bytes: (async function* () {
    yield Buffer.from(text);
  })(),
  isCompressible: true,
  modifiedAt,
});

const readme = ({ class: { name, createTime, endTime }, agent }: WantedArchive, folders: readonly string[]) =>
  `# ${name}

All work of the students of this class, which was made on ${createTime?.toISOString().slice(0, 10)} and ends on ${endTime?.toISOString().slice(0, 10)}. Exported by ${agent}.

Each student has a folder:

- \`contents.csv\` lists jobs and projects; one without a file has a note, for example because it has not ended.
- \`jobs/\` has each job that has ended as an RO-Crate: submission, project, deck, results, and \`ro-crate-metadata.json\` with seed, versions and times. Logs are not in it.
- \`projects/\` has the kept projects as they are now, without earlier revisions.

Students: ${folders.length}.

${folders.map((folder) => `- ${folder}`).join('\n')}
`;
