import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SERVICES, type ServiceName } from '@tally/testkit';
import { setClockWrong } from '../fixtures/wrong-clock.js';
import type { FaultySuite, Way } from './faulty-suite.js';

/** A kind of fault. */
export interface FaultKind {
  readonly name: string;
  /** What can be broken by it now; none: it cannot be. */
  targets(on: FaultySuite): readonly string[];
  /** Breaks it; resolves to how it is mended, which resolves when it is. */
  inject(on: FaultySuite, target: string): Promise<() => Promise<void>>;
}

const kill = (service: ServiceName): FaultKind => ({
  name: `SIGKILL of ${service}`,
  targets: (on) => on.copiesOf(service),
  inject: async ({ suite }, name) => {
    await suite.process(name).kill();
    return () => suite.process(name).start();
  },
});

const suspend = (service: ServiceName): FaultKind => ({
  name: `SIGSTOP of ${service}`,
  targets: (on) => on.copiesOf(service),
  inject: async ({ suite }, name) => {
    const { pid } = suite.process(name);
    process.kill(pid, 'SIGSTOP');
    return async () => void process.kill(pid, 'SIGCONT');
  },
});

const CLOCK_ERROR_MS = 3_600_000;
/** Of one copy. */
const clock = (way: 'ahead' | 'behind'): FaultKind => ({
  name: `clock an hour ${way}`,
  targets: ({ suite }) => suite.names().filter((name) => suite.process(name).isRunning()),
  inject: async ({ suite, directory }, name) => {
    const mend = setClockWrong(directory, suite.process(name).pid, way === 'ahead' ? CLOCK_ERROR_MS : -CLOCK_ERROR_MS);
    return async () => mend();
  },
});

/** A simulator may have ended by itself in between. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // gone
  }
}
const ofSimulators = (name: string, before: NodeJS.Signals, after?: NodeJS.Signals): FaultKind => ({
  name,
  targets: (on) => on.simulators().map(String),
  inject: async (_, pid) => {
    signal(Number(pid), before);
    return async () => after && signal(Number(pid), after);
  },
});

const byName = ({ ways }: FaultySuite, name: string): Way => {
  const way = ways.find((one) => one.name === name);
  if (way === undefined) throw new Error(`there is no way ${name}`);
  return way;
};
const ofWays = (name: string, state: Parameters<Way['proxy']['set']>[0]): FaultKind => ({
  name,
  targets: ({ ways }) => [...new Set(ways.map((way) => way.name))],
  inject: async (on, target) => {
    byName(on, target).proxy.set(state);
    return async () => byName(on, target).proxy.set({ kind: 'up' });
  },
});

const ofServer = (name: string, powerOf: (on: FaultySuite) => FaultySuite['postgres']['power']): FaultKind => ({
  name,
  targets: (on) => (powerOf(on) === undefined ? [] : ['']),
  inject: async (on) => {
    const power = powerOf(on);
    await power?.cut();
    return async () => power?.restore();
  },
});

const failover: FaultKind = {
  name: 'PostgreSQL failed over to its standby',
  targets: ({ postgres }) => (postgres.addStandby === undefined ? [] : ['']),
  inject: async ({ postgres }) => {
    const standby = await postgres.addStandby?.();
    await postgres.power?.cut();
    return async () => standby?.takeOver();
  },
};

const diskFull: FaultKind = {
  name: 'disk of a runner full',
  targets: ({ smallDisk }) => (smallDisk === undefined ? [] : ['direct-runner-1']),
  inject: async ({ smallDisk = '' }) => {
    const file = path.join(smallDisk, 'filler');
    const { bavail, bsize } = statfsSync(smallDisk);
    try {
      writeFileSync(file, Buffer.alloc(bavail * bsize));
    } catch {
      // full before it was written, as is meant
    }
    return async () => rmSync(file, { force: true });
  },
};

const ofCluster = (name: string, target: string): FaultKind => ({
  name,
  targets: ({ cluster }) => (cluster === undefined ? [] : [target]),
  inject: async ({ cluster }) => {
    await cluster?.cluster.fault('crash', target).catch((err: unknown) => {
      if (!/is not running/.test(String(err))) throw err; // ended by itself: the operator starts it again
    });
    return async () => void (await cluster?.cluster.fault('start', target));
  },
});

/** All that are known; those that this machine cannot do have no targets. */
export const FAULT_KINDS: readonly FaultKind[] = [
  ...SERVICES.map(kill),
  ...SERVICES.map(suspend),
  ofSimulators('SIGKILL of a simulator', 'SIGKILL'),
  ofSimulators('SIGSTOP of a simulator', 'SIGSTOP', 'SIGCONT'),
  ofServer('RabbitMQ killed', ({ rabbitmq }) => rabbitmq.power),
  ofServer('PostgreSQL killed', ({ postgres }) => postgres.power),
  failover,
  ofWays('connections cut', { kind: 'cut' }),
  ofWays('delay of 250 ms', { kind: 'delayed', delayMs: 250 }),
  ofWays('delay of 1 s', { kind: 'delayed', delayMs: 1_000 }),
  ofWays('half-open connections', { kind: 'half-open' }),
  ofWays('5 % lost and sent again', { kind: 'lossy', share: 0.05 }),
  diskFull,
  clock('ahead'),
  clock('behind'),
  ofCluster('controller of the scheduler killed', 'ctld'),
  ofCluster('accounting of the scheduler killed', 'dbd'),
  ofCluster('sshd of the login node killed', 'sshd'),
];
