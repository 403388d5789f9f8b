// Express in front of bare services, which takes the same requests as the suite: it checks nothing and keeps nothing.
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { libraries } from './libraries.mjs';
import { openStore } from './store.mjs';
import { sendsTasks } from './task-queue.mjs';

const LIMIT = '1gb';
const NOTHING = Buffer.alloc(0);
// Express 5 passes on what an async handler rejects with
/* oxlint-disable oxc/no-async-endpoint-handlers */

const ownerOf = ({ headers: { cookie = '' } }) => /owner=([^;]*)/.exec(cookie)?.[1] ?? '';
const numbersOf = (bytes) => Array.from(new Float64Array(Uint8Array.from(bytes).buffer));

/** Says its port. `targets`: addresses of a store for bodies and one for jobs; `queueUrl`: '' without a runner. */
export async function serveRoutes({ targets, queueUrl }) {
  const [bodies, jobs] = targets.map(openStore);
  const sendTasks = queueUrl === '' ? undefined : await sendsTasks(queueUrl);
  const { express } = libraries;
  const app = express()
    .use(express.json({ limit: LIMIT }))
    .disable('x-powered-by')
    .disable('etag');
  app.put('/auth/register', (_req, res) => res.status(201).json({}));
  app.post('/auth/login', ({ body: { username } }, res) => res.cookie('owner', username).status(202).json({}));
  app.get('/readyz', (_req, res) => res.json({}));
  app.post('/jobs/direct', async (req, res) => {
    const { sim_data: project, ntasks } = req.body;
    const jobId = randomUUID();
    await bodies.put(Buffer.from(JSON.stringify(project)), [jobId, 'input']);
    await jobs.submit([jobId, ownerOf(req), 'floor', ntasks]);
    await sendTasks?.(jobId, ntasks);
    res.status(202).json({ job_id: jobId });
  });
  app.delete('/jobs/direct', (_req, res) => res.json({}));
  app.get('/jobs/direct', async ({ query: { job_id: jobId } }, res) => {
    res.json(JSON.parse(await jobs.read([jobId])));
  });
  app.get('/user/simulations', async (req, res) => {
    res.json({ simulations: JSON.parse(await jobs.list([ownerOf(req)])) });
  });
  app.post('/tasks', async ({ body: { simulation_id: jobId, task_id: taskId, update_dict: update } }, res) => {
    await jobs.change([jobId, taskId, update.task_state, update.simulated_primaries]);
    res.status(202).json({});
  });
  app.post('/logfiles', async ({ body: { simulation_id: jobId, logfiles } }, res) => {
    await bodies.put(Buffer.from(JSON.stringify(logfiles)), [jobId, 'logs']);
    res.status(202).json({});
  });
  app.get('/logfiles', async ({ query: { job_id: jobId } }, res) => {
    res.json({ logfiles: JSON.parse(await bodies.get(NOTHING, [jobId, 'logs'])) });
  });
  app.post('/results', async ({ body: { simulation_id: jobId, estimators } }, res) => {
    const { values } = estimators[0].pages[0].data;
    await bodies.put(Buffer.from(Float64Array.from(values).buffer), [jobId, 'results']);
    res.status(202).json({});
  });
  app.get('/results', async ({ query: { job_id: jobId } }, res) => {
    const values = numbersOf(await bodies.get(NOTHING, [jobId, 'results']));
    res.json({ estimators: [{ pages: [{ data: { values } }] }] });
  });
  const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
}
