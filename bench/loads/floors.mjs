// What the same machine needs for the bare minimum of each load, measured just before it: machines change their speed.
import { bareRoute, bodies, noOpSimulator, partsOfRoute, passwordHash, routeOfService } from './floor-requests.mjs';
import { noOpJobs, openStreams, storedLogs, storedResults, submissions } from './floor-services.mjs';

/** By the load's name. */
export const FLOORS_BEFORE = {
  async root(bench) {
    await partsOfRoute(bench);
    await bareRoute(bench, 'root');
  },
  status: (bench) => bareRoute(bench, 'status'),
  login: passwordHash,
  async runs(bench) {
    await noOpSimulator(bench);
    await noOpJobs(bench);
  },
  /** That of runs, which come before it. */
  sustained: (bench) => (bench.chosen.has('runs') ? undefined : FLOORS_BEFORE.runs(bench)),
  submit: submissions,
  tasks: (bench) => routeOfService(bench, 'tasks'),
  jobs: (bench) => routeOfService(bench, 'jobs'),
  list: (bench) => routeOfService(bench, 'list'),
  logs: storedLogs,
  async results(bench) {
    await bodies(bench);
    await storedResults(bench);
  },
  streams: openStreams,
};
