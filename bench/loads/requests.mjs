// Requests that read: closed loops of 1 and 16 connections.
import { setTimeout as sleep } from 'node:timers/promises';
import { probe } from './probe.mjs';
import { inTasks } from './words.mjs';

const LOGINS_PER_S = 8;
const BESIDE_MS = 10_000;

export async function root({ meter, api }) {
  const next = { path: '/' };
  for (const connections of [1, 16]) await meter.rate(`GET / (${connections})`, api.baseUrl, { connections, next });
}

export async function status({ meter, api }) {
  for (const connections of [1, 16]) {
    const next = { path: '/auth/status', headers: await api.login() };
    await meter.rate(`GET /auth/status (${connections})`, api.baseUrl, { connections, next });
  }
}

/** Logins, and whether they hold up other requests: eight a second beside one client of a session. */
export async function login(bench) {
  const { meter, api } = bench;
  for (const connections of [4, 16]) {
    const next = api.loginRequest('bench');
    await meter.rate(`POST /auth/login (${connections})`, api.baseUrl, { connections, next });
  }
  const request = { path: '/auth/status', headers: await api.login() };
  await probe('GET /auth/status alone', bench, request, () => sleep(BESIDE_MS));
  await probe(`GET /auth/status during ${LOGINS_PER_S} logins a second`, bench, request, () => loginsAtRate(api));
}

/** At a fixed rate, however long they take; a machine that cannot hash so fast answers some of them 504. */
async function loginsAtRate(api) {
  const logins = [];
  while (logins.length < (LOGINS_PER_S * BESIDE_MS) / 1000) {
    logins.push(api.login().catch(() => {})); // a rejection before all are waited for would end the bench
    await sleep(1000 / LOGINS_PER_S);
  }
  await Promise.all(logins);
}

/** Without a runner: the tasks stay pending. */
export async function jobs({ meter, api }) {
  const poll = async (path, ntasks) => {
    const { jobId } = await api.submit(await api.login(), ntasks);
    const next = { path: `${path}?job_id=${jobId}`, headers: await api.login() };
    await meter.rate(`GET ${path}, ${inTasks(ntasks)} (16)`, api.baseUrl, { connections: 16, next });
    await api.cancel(next.headers, jobId);
  };
  await poll('/jobs', 10);
  for (const ntasks of [1, 100, 1_000]) await poll('/jobs/direct', ntasks);
}
