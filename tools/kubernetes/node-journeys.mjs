// What a cluster of several nodes is for: copies on different nodes, full nodes, a node that is lost, and one that is taken out of service.
import { setInterval } from 'node:timers/promises';
import { commandsOf, waitFor } from '../../packages/testkit/dist/src/index.js';
import { SERVICES } from '../k8s/service-facts.mjs';
import { expectEqual, step } from '../test/steps.mjs';
import { LONG_PRIMARIES, LONG_TASKS, underLoad } from './load.mjs';
import { NODES } from './network.mjs';

const NODE_NAMES = NODES.map(({ name }) => name);
/** This machine reaches the cluster by the first. */
const [STAYING, LEAVING] = NODES;
const RUNNER = 'direct-runner';
const OTHERS = SERVICES.filter((service) => service !== RUNNER);

/** Nodes of a service's pods. */
const nodesOf = async (release, service) =>
  (await release.podsOf(service)).map(({ spec }) => spec.nodeName).toSorted((a, b) => a.localeCompare(b));

/** Each service has a pod on each node. */
export async function expectSpread(release) {
  const found = await Promise.all(SERVICES.map(async (service) => [service, await nodesOf(release, service)]));
  expectEqual(
    found,
    SERVICES.map((service) => [service, NODE_NAMES]),
  );
}

/** Needs a runner on each node; that they are rolled out all the same is a step of the upgrades. */
export async function fillNodes({ release }) {
  await step('two runners fill both nodes by their real requests: a third finds no room', async () => {
    await release.kubectl('scale', `deployment/tally-${RUNNER}`, `--replicas=${NODES.length + 1}`);
    const isRefused = ({ status: { conditions = [] } }) =>
      conditions.some(
        ({ type, status, message }) => `${type} ${status}` === 'PodScheduled False' && /Insufficient cpu/.test(message),
      );
    const hasNoRoom = async () => (await release.allPodsOf(RUNNER)).some(isRefused);
    await waitFor(hasNoRoom, { timeoutMs: 60_000, intervalMs: 500, what: 'a runner without a node' });
    await release.kubectl('scale', `deployment/tally-${RUNNER}`, `--replicas=${NODES.length}`);
    await release.settled(RUNNER);
  });
}

/** The node lives on and reaches nobody, as behind a broken switch: what it computes meanwhile must not count. */
export async function loseNode({ release, user, cluster, network }) {
  const options = { seed: '4711' };
  await step(
    `${LEAVING.name} is lost under load: another runner has its tasks, and the results are the same`,
    async () => {
      const undisturbed = await user.submit(LONG_PRIMARIES, LONG_TASKS, 'direct', options);
      await user.completed(undisturbed, LONG_PRIMARIES);
      const jobId = await user.submit(LONG_PRIMARIES, LONG_TASKS, 'direct', options);
      await user.running(jobId, NODES.length);
      network.cut(LEAVING);
      try {
        await user.completed(jobId, LONG_PRIMARIES);
      } finally {
        network.join(LEAVING);
      }
      expectEqual(await user.estimators(jobId), await user.estimators(undisturbed));
    },
  );
  await step(`${LEAVING.name} comes back, and its pods serve again`, async () => {
    await cluster.kubectl(['wait', '--for=condition=Ready', `node/${LEAVING.name}`, '--timeout=120s']);
    await release.settled(...SERVICES);
    await user.completed(await user.submit(400, 4), 400);
  });
}

/** Whether a pod has started and is not about to end; whether it is ready says more of a busy machine than of budgets. */
const works = ({ metadata, status: { containerStatuses = [] } }) =>
  !metadata.deletionTimestamp && containerStatuses.length > 0 && containerStatuses.every(({ started }) => started);

/** Looks until it is asked for services that had no pod at a moment. */
function watchServices(release, services) {
  const gone = new Set();
  const over = new AbortController();
  const look = async () => {
    for (const service of services) if (!(await release.allPodsOf(service)).some(works)) gone.add(service);
  };
  const watching = (async () => {
    for await (const _ of setInterval(500, undefined, { signal: over.signal })) await look();
  })().catch((err) => {
    if (err.name !== 'AbortError') throw err;
  });
  return {
    async end() {
      over.abort();
      await watching;
      return [...gone];
    },
  };
}

/** What kubectl says when a budget keeps a pod until another one is ready. */
const HELD = /violate the pod's disruption budget/;

/** Takes one node out of service, puts it back, and then the other one, which has both pods of each service. */
export async function drainNodes({ release, user }) {
  const [drain, uncordon] = commandsOf('operators-guide.md', 'Take a node out of service').trim().split('\n');
  /** Runners have no room on the other node: theirs comes back with the node. */
  const takeOut = async (node, other) => {
    const services = watchServices(release, OTHERS);
    let said;
    try {
      said = await release.shell(`node=${node.name}\n${drain} 2>&1`);
      await release.settled(...OTHERS);
    } finally {
      expectEqual(await services.end(), []);
    }
    for (const service of OTHERS) expectEqual(await nodesOf(release, service), [other.name, other.name]);
    expectEqual(await nodesOf(release, RUNNER), [other.name]);
    return said;
  };
  const putBack = async (node) => {
    await release.shell(`node=${node.name}\n${uncordon}`);
    await release.settled(...SERVICES);
    expectEqual(await nodesOf(release, RUNNER), NODE_NAMES);
  };
  await step(`operators-guide.md: ${LEAVING.name} is drained under load: the other takes over, no job is lost`, () =>
    underLoad(user, () => takeOut(LEAVING, STAYING)),
  );
  await step(`operators-guide.md: ${LEAVING.name} is taken into service again, and gets its runner`, () =>
    putBack(LEAVING),
  );
  await step(
    `operators-guide.md: ${STAYING.name}, which has both pods of services, is drained under load: budgets hold`,
    () =>
      underLoad(user, async () => {
        const said = await takeOut(STAYING, LEAVING);
        if (!HELD.test(said)) throw new Error(`no budget has kept a pod: ${said}`);
        await putBack(STAYING);
      }),
  );
}
