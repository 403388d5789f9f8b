import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { HttpExchange, Output } from '@tally/client';
import {
  type CheckedDocument,
  createRunDirectory,
  createTestBroker,
  createTestDatabase,
  HttpSession,
  OpenApiChecker,
  recordExchange,
  removeRunDirectory,
  type Suite,
  type SuiteOptions,
  startSuite,
  waitFor,
  workspaceRoot,
} from '@tally/testkit';

/** The suite with databases and queues of its own, on the servers of the test run. */
export interface TestSuite extends Suite {
  /** A client without a session; every answer that it gets must be one that GET /openapi.json allows. */
  newSession(gatewayUrl?: string): HttpSession;
  /** A session of a new local user who is logged in. */
  newUser(): Promise<HttpSession>;
  readonly databases: SuiteOptions['databases'];
  readonly directory: string;
}

/** Starts the suite for a test file; `stop` leaves nothing behind. */
export async function startTestSuite(options: Partial<SuiteOptions> = {}): Promise<TestSuite> {
  const directory = createRunDirectory('e2e');
  const databases = {
    auth: await createTestDatabase('services/auth/prisma/migrations'),
    'batch-bridge': await createTestDatabase('services/batch-bridge/prisma/migrations'),
    jobs: await createTestDatabase('services/jobs/prisma/migrations'),
    results: await createTestDatabase('services/results/prisma/migrations'),
  };
  const urls = {
    auth: databases.auth.url,
    'batch-bridge': databases['batch-bridge'].url,
    jobs: databases.jobs.url,
    results: databases.results.url,
  };
  const suite = await startSuite({ databases: urls, queueUrl: (await createTestBroker()).url, directory, ...options });
  const observe = await checkExchanges(suite.gatewayUrl);
  const newSession = (url: string = suite.gatewayUrl) => new HttpSession(url, observe);
  let userCount = 0;
  return {
    gatewayUrl: suite.gatewayUrl,
    names: () => suite.names(),
    process: (name) => suite.process(name),
    addCopy: (service) => suite.addCopy(service),
    databases: urls,
    directory,
    newSession,
    async newUser() {
      const session = newSession();
      const credentials = { username: `user-${++userCount}`, password: 'correct horse battery' };
      await session.request('PUT', '/auth/register', { body: credentials });
      await session.request('POST', '/auth/login', { body: credentials });
      return session;
    },
    async stop() {
      await suite.stop();
      await Promise.all(Object.values(databases).map((database) => database.drop()));
      removeRunDirectory(directory);
    },
  };
}

/** Compares every exchange with the document that the gateway serves; a deviation fails the test that caused it. */
async function checkExchanges(gatewayUrl: string): Promise<(exchange: HttpExchange) => void> {
  const response = await fetch(`${gatewayUrl}/openapi.json`);
  const checker = new OpenApiChecker((await response.json()) as CheckedDocument);
  return (exchange) => {
    recordExchange(exchange);
    const faults = checker.checkAnswer(exchange);
    if (faults.length > 0) throw new Error(`not as the OpenAPI document says: ${faults.slice(0, 10).join('; ')}`);
  };
}

export interface Project extends Record<string, unknown> {
  beam: { numberOfParticles: number; energy: number };
}

/** A project of `examples/`, with another number of primaries where given. */
export function exampleProject(name: string, primaries?: number): Project {
  const project = JSON.parse(readFileSync(path.join(workspaceRoot(), 'examples', `${name}.json`), 'utf8')) as Project;
  if (primaries !== undefined) project.beam.numberOfParticles = primaries;
  return project;
}

export type JobStatus = Output<'GET', '/jobs/direct'>;
export type Results = Output<'GET', '/results'>;

export interface Submission {
  project: Project;
  ntasks: number;
  seed?: string;
}

/** Submits a project on the direct platform; resolves to the job id. */
export async function submit(session: HttpSession, { project, ntasks, seed }: Submission): Promise<string> {
  const { job_id: jobId } = await session.request('POST', '/jobs/direct', {
    body: {
      sim_type: 'simA',
      input_type: 'editor',
      ntasks,
      sim_data: project,
      ...(seed === undefined ? {} : { seed }),
    },
  });
  return jobId;
}

export function jobStatus(session: HttpSession, jobId: string): Promise<JobStatus> {
  return session.request('GET', '/jobs/direct', { query: { job_id: jobId } });
}

const TERMINAL = ['COMPLETED', 'FAILED', 'CANCELED'];

/** Waits for a terminal state and resolves to it. */
export async function ended(session: HttpSession, jobId: string, timeoutMs = 120_000): Promise<JobStatus> {
  return waitFor(
    async () => {
      const status = await jobStatus(session, jobId);
      return TERMINAL.includes(status.job_state) ? status : undefined;
    },
    { timeoutMs, intervalMs: 100, what: `the end of job ${jobId}` },
  );
}

/** Waits until the job's status satisfies the condition. */
export async function reached(
  session: HttpSession,
  jobId: string,
  condition: (status: JobStatus) => boolean,
  timeoutMs = 60_000,
): Promise<JobStatus> {
  return waitFor(
    async () => {
      const status = await jobStatus(session, jobId);
      return condition(status) ? status : undefined;
    },
    { timeoutMs, intervalMs: 50, what: `a state of job ${jobId}` },
  );
}

export function results(session: HttpSession, jobId: string): Promise<Results> {
  return session.request('GET', '/results', { query: { job_id: jobId } });
}

/** All values and errors of a job's results, one after the other. */
export function flatten({ estimators }: Results): { values: number[]; errors: (number | null)[] } {
  const pages = estimators.flatMap((estimator) => estimator.pages);
  return {
    values: pages.flatMap((page) => page.data.values),
    errors: pages.flatMap((page) => page.data.errors ?? []),
  };
}

/** Largest relative difference of two equally long lists; zero against zero counts as equal. */
export function largestRelativeDifference(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((largest, value, i) => {
    const other = b[i] ?? Number.NaN;
    const scale = Math.max(Math.abs(value), Math.abs(other));
    return Math.max(largest, scale === 0 ? 0 : Math.abs(value - other) / scale);
  }, 0);
}
