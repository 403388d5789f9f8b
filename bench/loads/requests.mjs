// Requests of many clients at once: polls of a status, lists, reports of progress. No runner runs, so that the tasks stay pending.
const POLLERS = 16;
const WORKERS = 8;

const POLLED_TASKS = [10, 1_000];
export async function poll({ api }, meter) {
  for (const ntasks of POLLED_TASKS) {
    const { jobId } = await api.submit(await api.login(), ntasks);
    const next = { path: `/jobs/direct?job_id=${jobId}`, headers: await api.login() };
    await meter.rate(`status poll, ${ntasks} tasks`, api.baseUrl, { connections: POLLERS, next });
    await api.cancel(next.headers, jobId);
  }
}

const LISTED_JOBS = [1_000, 100_000];
export async function list({ api, seedHistory }, meter) {
  const usernames = LISTED_JOBS.map((count) => `bench-list-${count}`);
  for (const [i, count] of LISTED_JOBS.entries()) {
    await api.register(usernames[i]);
    await seedHistory(usernames[i], count);
  }
  for (const [i, count] of LISTED_JOBS.entries()) {
    const next = { path: '/user/simulations', headers: await api.login(usernames[i]) };
    await meter.rate(`list, first page of ${count} jobs`, api.baseUrl, { connections: POLLERS, next });
  }
}

const UPDATED_TASKS = 100;
export async function update({ api }, meter) {
  const { jobId } = await api.submit(await api.login(), UPDATED_TASKS);
  const worker = api.worker(jobId);
  const next = (i) => api.taskUpdate(worker, 1 + (i % UPDATED_TASKS), 1 + (i % 900));
  await meter.rate('task update', api.baseUrl, { connections: WORKERS, next });
  await api.cancel(await api.login(), jobId);
}
