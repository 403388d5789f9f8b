// `pnpm test:kubernetes`: a cluster on this machine of the programs that clusters are made of, and the chart in it.
// First an API server alone, which validates all that k8s/ makes; then, as root, two nodes that run it: installed, scaled, killed,
// lost, upgraded, rolled back, drained, taken away. docs/kubernetes-test.md says what it needs and what it checks. Where something of it
// cannot run it says why and passes. The last line is "N passed, N failed".
//   --validate   only the API server
//   --keep       leaves the cluster's folder with all logs
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { results, step } from '../test/steps.mjs';
import { startControlPlane } from './control-plane.mjs';
import { keepEvidence } from './evidence.mjs';
import { buildImages, importImages, PAUSE } from './images.mjs';
import { runJourneys } from './journeys.mjs';
import { CONTROL_PLANE, createNetwork, LINK_PREFIX, MACHINE, NODES } from './network.mjs';
import { keepMachine, prepareNode } from './node.mjs';
import { startOutside } from './outside.mjs';
import { provideApiPrograms, provideNodePrograms, whyNoApiServer, whyNoNode } from './programs.mjs';
import { validateAll } from './validation.mjs';

const { values: options } = parseArgs({
  options: { validate: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } },
});
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-kubernetes-'));
fs.chmodSync(dir, 0o755);
const undo = [];

/** A program that ends by itself: what waits for it would wait in vain. */
function onEnd(name, tail) {
  console.log(`FAILED ${name} has ended:\n${tail}`);
}

async function runValidation(programs) {
  const folder = path.join(dir, 'validation');
  fs.mkdirSync(folder);
  const cluster = await step('etcd and an API server start', () => startControlPlane(programs, folder, { onEnd }));
  try {
    await validateAll(cluster);
  } finally {
    await cluster.end();
  }
}

async function startNodes(programs, network) {
  const nodes = [];
  for (const node of NODES) {
    const options = { node, dir, prefix: network.prefixOf(node), pauseImage: PAUSE, onEnd };
    const prepared = await prepareNode(programs, options);
    undo.push(() => prepared.end());
    nodes.push(prepared);
  }
  return nodes;
}

async function runCluster(programs) {
  const network = createNetwork(process.pid);
  undo.push(network.remove, keepMachine());
  const images = await step('images of all services are built', () => buildImages(dir, programs));
  const started = () => startControlPlane(programs, dir, { address: CONTROL_PLANE, prefix: network.prefix, onEnd });
  const cluster = await step('the control plane starts', started);
  undo.push(cluster.end);
  cluster.startControllers();
  const nodes = await startNodes(programs, network);
  await step('containerd of each node takes them', () => importImages(images, nodes));
  const outside = await startOutside(MACHINE, LINK_PREFIX);
  undo.push(outside.end);
  for (const node of nodes) node.start();
  try {
    await runJourneys({ cluster, nodes, network, outside, programs, dir });
  } catch (err) {
    console.log(`events, descriptions and logs are in ${await keepEvidence(cluster, dir)}`);
    throw err;
  }
}

async function run() {
  const programs = await step('Kubernetes is built, or was', provideApiPrograms);
  await runValidation(programs);
  if (options.validate) return;
  const reason = whyNoNode();
  if (reason !== undefined) return console.log(`skip   nodes, and all that runs on them: ${reason}`);
  const more = await step('what a node needs is built, or was', provideNodePrograms);
  await runCluster({ ...programs, ...more });
}

const reason = whyNoApiServer();
let isBroken = false;
if (reason === undefined) {
  try {
    await run();
  } catch (err) {
    isBroken = true;
    if (results().failed === 0) console.error(err);
  } finally {
    for (const each of undo.toReversed()) await each();
    if (options.keep) console.log(`logs are in ${dir}`);
    else fs.rmSync(dir, { recursive: true, force: true });
  }
} else console.log(`skip   Kubernetes: ${reason}`);
const { passed, failed } = results();
console.log(`\n${passed} passed, ${isBroken ? Math.max(failed, 1) : failed} failed`);
process.exit(isBroken ? 1 : 0);
