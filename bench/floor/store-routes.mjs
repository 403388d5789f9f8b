// Express in front of the bare service: a log, lists of numbers, a submission and its status, with nothing but what their bytes need.
import { libraries } from './libraries.mjs';
import { serveHttp } from './serve-http.mjs';
import { openStore } from './store.mjs';

const LIMIT = '1gb';
// Express 5 passes on what an async handler rejects with
/* oxlint-disable oxc/no-async-endpoint-handlers */

/** Argument: addresses of a store for bodies and one for jobs, separated by a blank. */
export function serveStoreRoutes(argument) {
  const [bodies, jobs] = argument.split(' ').map(openStore);
  const { express } = libraries;
  const app = express().use(express.json({ limit: LIMIT }));
  app.post('/logfiles', async ({ body: { logfiles } }, res) => {
    const [text] = Object.values(logfiles);
    res.status(202).json({ id: String(await bodies.putText(text)) });
  });
  app.get('/logfiles', async ({ query: { id } }, res) => {
    res.json({ logfiles: { task_1: (await bodies.getText(id)).toString() } });
  });
  app.post('/results', async ({ body: { estimators } }, res) => {
    const { values } = estimators[0].pages[0].data;
    res.status(202).json({ id: String(await bodies.put(Buffer.from(Float64Array.from(values).buffer))) });
  });
  app.get('/results', async ({ query: { id } }, res) => {
    const bytes = Uint8Array.from(await bodies.get(id));
    res.json({ estimators: [{ pages: [{ data: { values: Array.from(new Float64Array(bytes.buffer)) } }] }] });
  });
  app.post('/jobs/direct', async ({ body: { sim_data: project, ntasks } }, res) => {
    const bodyId = await bodies.put(JSON.stringify(project));
    const jobId = await jobs.submit({ bodyId: String(bodyId), ntasks });
    res.status(202).json({ job_id: String(jobId) });
  });
  app.get('/jobs/direct', async ({ query: { job_id: jobId } }, res) => {
    res.json({ job_tasks_status: JSON.parse(await jobs.tasks(jobId)) });
  });
  serveHttp(app);
}
