// A real Geant4 beside the built-in engine, for the demo and `pnpm judge`.
import { execFileSync } from 'node:child_process';
import process from 'node:process';

/** What the built-in engine stands in for, so that both transport through the same materials: the powers of simC are those of simD. */
export const ENGINE_SIM_TYPE = 'simD';
/** When doses agree: of the largest dose, its distance in mm, and the bins that count, as docs/simulators.md asks for. */
export const GAMMA = { gamma_dose_percent: 2, gamma_distance_mm: 2, gamma_cutoff_percent: 10 };
const TERMINAL = new Set(['COMPLETED', 'FAILED', 'CANCELED']);
const POLL_MS = 250;

/** Settings of the suite with Geant4 as simC; the other simulators stay with the built-in engine. */
export function geant4Environment(geant4) {
  // asked here, where no limit of time makes the runner begin without it on a busy machine
  const { executable, args, env } = geant4;
  const said = execFileSync(executable, [...args, '--version'], { env: { ...process.env, ...env }, encoding: 'utf8' });
  const version = /version (.+)/.exec(said)?.[1];
  return {
    jobs: { JOBS_BUILT_IN_ENGINE: 'allow' },
    'direct-runner': { RUNNER_SIMULATORS: JSON.stringify({ simC: { ...geant4, version } }) },
  };
}

/** Resolves when the suite offers the executable of simC; its name and version. */
export async function waitForGeant4(client) {
  for (;;) {
    const { simulators } = await client.request('GET', '/simulators');
    const found = simulators.find(({ sim_type: simType }) => simType === 'simC');
    if (found?.engine.startsWith('simC ')) return found.engine;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export async function signUp(client) {
  const credentials = { username: 'judge', password: 'judge-password' };
  await client.request('PUT', '/auth/register', { body: credentials });
  await client.request('POST', '/auth/login', { body: credentials });
  // a session would end in the middle of a long job
  const { token } = await client.request('POST', '/auth/tokens', {
    body: { name: 'judge', scopes: ['read', 'submit'] },
  });
  client.token = token;
  await waitForGeant4(client);
}

/** Runs a project to its end; the id of the job. Quantities that the simulator does not have are left out. */
export async function runJob(client, { sim_type, sim_data, ntasks }) {
  const body = { sim_type, input_type: 'editor', ntasks, on_unsupported: 'omit', sim_data };
  const { job_id: jobId } = await client.request('POST', '/jobs/direct', { body });
  for (;;) {
    const { job_state: state, job_tasks_status: tasks } = await client.request('GET', '/jobs/direct', {
      query: { job_id: jobId },
    });
    if (state === 'COMPLETED') return jobId;
    if (TERMINAL.has(state)) throw new Error(`${sim_type}: ${state}: ${tasks.find((task) => task.failure)?.failure}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
