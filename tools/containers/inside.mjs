// What containers see from inside: who they are, what they may write, whom they reach.
import { SERVICES } from '../k8s/service-facts.mjs';
import { edgesOf } from './networks.mjs';

/** Prints the names of `TARGETS` (`[name, host, port]`) that take a connection and keep it. */
export const CONNECT = `
  const net = require('node:net');
  const attempt = ([name, host, port]) => new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: 2000 });
    const end = (isOpen) => { socket.destroy(); resolve(isOpen ? [name] : []); };
    // who is not for us may take a connection and end it at once
    socket.on('connect', () => socket.setTimeout(0).once('close', () => end(false)) && setTimeout(() => end(true), 300));
    socket.on('error', () => end(false)).on('timeout', () => end(false));
  });
  Promise.all(TARGETS.map(attempt)).then((open) => console.log(JSON.stringify(open.flat().sort())));
`;

const sortedText = (names) => [...names].toSorted((a, b) => (a < b ? -1 : 1)).join();

/** Faults: every service tries all others, at every address they have, and all servers outside that are there. */
export async function policyFaults(objects, networks, pods, servers) {
  const edges = edgesOf(objects);
  const exits = {
    gateway: [],
    auth: ['database', 'realm'],
    jobs: ['broker', 'database'],
    results: ['database'],
    'batch-bridge': ['cluster', 'database'],
    'direct-runner': ['broker'],
  };
  const faults = [];
  for (const service of SERVICES) {
    const others = SERVICES.filter((other) => other !== service);
    const targets = [
      ...others.flatMap((other) =>
        networks.addressesOf(other, 'a').map((host) => [other, host, other === 'gateway' ? 8080 : 7000]),
      ),
      ...networks.ways.map(({ server, host, port }) => [server, host, port]),
    ];
    const open = new Set(
      JSON.parse(await pods.get(service).evaluate(CONNECT.replace('TARGETS', JSON.stringify(targets)))),
    );
    // a network does not tell who begins: policies do, which `pnpm check:k8s` looks at
    const pairs = edges.flatMap(({ caller, callee }) =>
      caller === service ? [callee] : callee === service ? [caller] : [],
    );
    const allowed = new Set([...pairs, ...exits[service].filter((server) => servers.includes(server))]);
    const found = sortedText(open);
    const expected = sortedText(allowed);
    if (found !== expected) faults.push(`${service} reaches ${found || 'nobody'}, not ${expected || 'nobody'}`);
  }
  return faults;
}

/** Prints what {@link RESTRICTED} says of a container that has nothing it does not need. */
export const INSIDE = `
  const fs = require('node:fs');
  const status = fs.readFileSync('/proc/self/status', 'utf8');
  const field = (name) => new RegExp(name + ':\\\\s*(\\\\S+)').exec(status)[1];
  const tryWrite = (file) => { try { fs.writeFileSync(file, ''); return 'written'; } catch (err) { return err.code; } };
  console.log(JSON.stringify([process.getuid(), process.getgid(), field('CapEff'), field('CapBnd'), field('NoNewPrivs'), field('Seccomp'), tryWrite('/app/x'), tryWrite('/tmp/x'), tryWrite('/run/x')]));
`;
const NOTHING = '0'.repeat(16);
export const RESTRICTED = [10001, 10001, NOTHING, NOTHING, '1', '2', 'EROFS', 'EROFS', 'EROFS'];

/** How Node is started in a simulator host, whose image need not have one. */
export const HOST_NODE = ['/opt/tally/bin/loader', '--library-path', '/opt/tally/lib', '/opt/tally/bin/node'];
/** The same of a simulator host: another user, whose one place to write is its own /tmp; nothing of the runner's is there. */
export const HOST_INSIDE = INSIDE.replace(
  "tryWrite('/run/x')]",
  "tryWrite('/control/x'), fs.existsSync('/run/secrets/tally')]",
);
export const HOST_RESTRICTED = [10002, 10001, NOTHING, NOTHING, '1', '2', 'EROFS', 'written', 'EROFS', false];
